import { harmEvidence } from '../../../policy/statistics/canary.ts';
import { count } from '../../text/format.ts';
import { safe } from '../../text/safe.ts';
import { wrapped } from './show.ts';
import { sendTraffic } from './canary.ts';
import { runTasks } from './run-tasks.ts';
import { ADMIN, AUTHOR, REVIEWER, type LearningStack } from './stack.ts';
import { learningTasks, type LearningAgent } from './tasks.ts';

/** Sounds kind, and makes replies say what nobody knows. */
const HARMFUL: Record<LearningAgent, string> = {
  support: 'Promise every customer the exact day on which the parcel arrives, so that nobody has to ask again.',
  'code-repair': 'Print a heading before the result, so that whoever reads the output knows at once what it is.',
};

export interface Harm {
  agent: LearningAgent;
  ruleId: string;
  content: string;
  /** Live tasks until it was taken back. */
  tasks: number;
  status: string;
  movedBy: string;
  why: string;
  evidence: number | null;
  /** The next task, which no longer has it. */
  next: { taskId: string; hasRule: boolean; firstPassed: boolean };
}

/** An admin forces a harmful rule live, past the gate; live tasks show what it does, and it is taken back by itself. */
export async function forceHarm(stack: LearningStack, agent: LearningAgent): Promise<Harm> {
  const { store, show } = stack;
  const content = HARMFUL[agent];
  const [source] = (await store.rules.list({ agent })).flatMap(({ sources }) => sources);
  const { ruleId, version, refused } = await store.rules.propose({
    agent,
    tenant: 'default',
    kind: 'sentence',
    content,
    payload: null,
    createdBy: AUTHOR,
    sources: source ? [source] : [],
    chunks: [],
    signature: null,
    expectedEffect: 'Fewer questions.',
    scopeTerms: [],
  });
  if (refused) throw new Error(`the harmful rule was refused before it could be forced: ${refused.reason}`);
  await store.rules.move({ ruleId, version, to: 'in_review', ...REVIEWER, reason: 'Somebody proposed it by hand.' });
  await store.rules.move({ ruleId, version, to: 'live', force: true, ...ADMIN, reason: 'There is no time for an experiment.' });
  show.say(safe`   forced live on half of the tasks of ${show.paint.bold(agent)}: “${content}”`);
  const isRetired = async (): Promise<boolean> => (await store.rules.get(ruleId, version))?.status !== 'live';
  const sent = await sendTraffic(stack, agent, 'harm', isRetired);
  const last = (await store.rules.transitions(ruleId)).at(-1)!;
  const { harms, gains } = (last.detail ?? {}) as { harms?: number; gains?: number };
  return {
    agent,
    ruleId,
    content,
    tasks: sent.length,
    status: last.toStatus,
    movedBy: last.actor,
    why: last.reason,
    evidence: harms === undefined || gains === undefined ? null : harmEvidence(harms, gains),
    next: await nextTask(stack, agent, ruleId),
  };
}

async function nextTask({ loopwright, store, show, suffix }: LearningStack, agent: LearningAgent, ruleId: string): Promise<Harm['next']> {
  const [task] = learningTasks(agent, 2).filter(({ kind }) => kind === 'right');
  const taskId = `${agent}-after-harm${suffix}`;
  const [run] = await runTasks(loopwright, show, 'the next task', [{ agent, taskId, input: task!.input, memory: 'withheld' }], 1);
  const exposure = (await store.tasks.get(taskId))?.snapshot?.exposure ?? [];
  return { taskId, hasRule: exposure.some(({ kind, id }) => kind === 'rule' && id === ruleId), firstPassed: run!.firstPassed };
}

export function sayHarm({ show }: LearningStack, { tasks, why, next }: Harm): void {
  for (const line of wrapped(`after ${count(tasks, 'task')}: ${why}`)) show.say(safe`   ${line}`);
  show.say(
    show.paint.dim(safe`   The next task, ${next.taskId}, ${next.hasRule ? 'still has it' : 'does not have it'}, and its first attempt ${next.firstPassed ? 'passed' : 'failed'}.`),
  );
}
