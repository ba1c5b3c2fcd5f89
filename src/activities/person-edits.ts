import type { AnyAgent } from '../agents/define-agent.ts';
import type { Experience } from '../contracts/experience.ts';
import { experienceOfPerson, WHOSE_WORD_COUNTS } from '../memory/person.ts';
import type { StoredApproval } from '../store/approvals.ts';
import type { TaskView } from '../store/task-view.ts';
import type { Services } from './services.ts';

export interface PersonEdit {
  attempt: number;
  experience: Experience & { writtenBy: string };
}

/** Outputs that a person edited, or wrote in the place of one: what was wrong, and what is right. */
export async function personEdits(services: Services, agent: AnyAgent, view: TaskView, situation: string): Promise<PersonEdit[]> {
  const edits = await Promise.all(view.approvals.map((approval) => editOf(services, agent, { view, approval, situation })));
  return edits.filter((edit) => edit !== null);
}

interface Place {
  view: TaskView;
  approval: StoredApproval;
  situation: string;
}

async function editOf({ store }: Services, agent: AnyAgent, { view: { task }, approval, situation }: Place): Promise<PersonEdit | null> {
  const { id, kind, status, hash, decision } = approval;
  if ((kind !== 'output' && kind !== 'handoff') || (status !== 'edited' && status !== 'responded') || decision?.value == null) return null;
  const written = decision.valueHash === undefined ? decision.value : ((await store.blobs.get(decision.valueHash)) ?? decision.value);
  const draft = hash === null ? null : await store.blobs.get(hash);
  const [wrong, right] = [draft === null ? null : asRead(agent, draft), asRead(agent, written)];
  if (right.trim() === '' || right === wrong) return null;
  const attempt = Number(/^output\.a(\d+)\./.exec(id)?.[1] ?? task.bestAttempt ?? task.attempts);
  const verified = decision.token !== null && decision.roles.some((role) => WHOSE_WORD_COUNTS.includes(role));
  const { taskId, tenant } = task;
  return {
    attempt,
    experience: experienceOfPerson({ agent: agent.name, tenant, taskId, attempt, source: id, situation, wrong, right, by: decision.by, verified, at: decision.at }),
  };
}

/** As the user reads it; what is no output of the agent is read as it stands. */
function asRead(agent: AnyAgent, text: string): string {
  for (const candidate of [parsed(text), text]) {
    const output = agent.output.safeParse(candidate);
    if (output.success) return agent.renderOutput(output.data);
  }
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
