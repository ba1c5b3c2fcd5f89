/** The people of a sample case: they decide what waits as the case says. */
import type { AgentCase } from '../../agents/case.ts';
import type { TaskHandle } from '../../client.ts';
import { RefusedError } from '../../client.ts';
import type { Decide } from '../../contracts/approval.ts';
import type { StoredApproval } from '../../store/approvals.ts';
import type { TaskView } from '../../store/task-view.ts';

const DEMO_APPROVER = 'demo approver';

type Decision = Pick<Decide, 'decision' | 'reason' | 'value'>;

/** Give it each look at the task; it decides every open approval once. */
export function createDemoApprover(sample: AgentCase, task: TaskHandle): (view: TaskView) => Promise<void> {
  const approvals = [...sample.approvals];
  const answers = [...sample.answers];
  const reviews = [...sample.reviews];
  const decided = new Set<string>();
  const choose = (approval: StoredApproval): Decision | null => {
    if (approval.kind === 'question') return answer(answers.shift());
    if (approval.kind === 'output') return review(reviews.shift());
    if (/\.e\d+$/.test(approval.id)) return { decision: 'approve', reason: 'As edited.' };
    const position = approvals.findIndex((each) => each.tool === approval.tool);
    const [planned] = position < 0 ? [] : approvals.splice(position, 1);
    if (!planned) return { decision: 'reject', reason: 'The sample case names nobody who would approve this.' };
    return { decision: planned.decision, reason: planned.reason, ...(planned.value === undefined ? {} : { value: planned.value }) };
  };
  return async (view) => {
    for (const approval of view.approvals) {
      if (approval.status !== 'pending' || decided.has(approval.id)) continue;
      decided.add(approval.id);
      const decision = choose(approval);
      if (decision) await decide(task, approval, decision);
    }
  };
}

/** A question without an answer waits until it expires: that is what the case shows. */
function answer(text: string | undefined): Decision | null {
  return text === undefined ? null : { decision: 'respond', reason: '', value: text };
}

function review(planned: AgentCase['reviews'][number] | undefined): Decision {
  if (!planned) return { decision: 'approve', reason: 'It is for the evaluators to judge.' };
  return { decision: planned.decision, reason: planned.reason, ...(planned.score === undefined ? {} : { value: { score: planned.score } }) };
}

/** What expired or was withdrawn since the look is not ours to decide any more. */
async function decide(task: TaskHandle, approval: StoredApproval, decision: Decision): Promise<void> {
  try {
    await task.decide({ ...decision, approvalId: approval.id, by: DEMO_APPROVER, ...(approval.hash === null ? {} : { hash: approval.hash }) });
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
  }
}
