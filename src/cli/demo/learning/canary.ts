import { cut } from '../../text/format.ts';
import type { Tested } from './gate.ts';
import { runTasks, type TaskRun } from './run-tasks.ts';
import { REVIEWER, type LearningStack } from './stack.ts';
import { learningTasks, type LearningAgent } from './tasks.ts';

/** Tasks of one agent that are sent at most until its canaries are through. */
const MAX_TRAFFIC = 80;

export interface Canaried {
  ruleId: string;
  agent: LearningAgent;
  content: string;
  status: string;
  /** Why it went live, or was taken back. */
  why: string;
  /** What that rests on; null: it is still on its canary. */
  figures: Figures | null;
}

/** Of live tasks with the rule and without it: how many, and how many were right at the first attempt. */
interface Figures {
  with: { tasks: number; passed: number };
  without: { tasks: number; passed: number };
  pairs: number;
  evidence: number;
}

/** The reviewer accepts what the gate promoted; then live tasks come until each canary is live, or rolled back. */
export async function acceptAndWatch(stack: LearningStack, tested: readonly Tested[]): Promise<Canaried[]> {
  const { store, size } = stack;
  const promoted = tested.filter(({ result }) => result.decision === 'promote');
  for (const { ruleId, version, result } of promoted)
    await store.rules.move({
      ruleId,
      version,
      to: 'canary',
      ...REVIEWER,
      reason: `Accepted: ${result.why}`,
      experimentId: result.experimentId,
      share: 0.5,
      pairs: size.pairs,
    });
  await Promise.all(size.agents.map((agent) => sendTraffic(stack, agent, 'canary', () => isOver(stack, agent))));
  return Promise.all(
    promoted.map(async ({ ruleId, agent, content }) => {
      const last = (await store.rules.transitions(ruleId)).at(-1);
      const isSettled = last?.actor === 'canary';
      return { ruleId, agent, content, status: last?.toStatus ?? 'none', why: last?.reason ?? '', figures: isSettled ? (last.detail as unknown as Figures) : null };
    }),
  );
}

async function isOver({ store }: LearningStack, agent: LearningAgent): Promise<boolean> {
  return (await store.rules.list({ agent, status: 'canary' })).length === 0;
}

/** Tasks of the kinds of both runs, a few at a time, until `isDone`. @returns what ran */
export async function sendTraffic(stack: LearningStack, agent: LearningAgent, name: string, isDone: () => Promise<boolean>): Promise<TaskRun[]> {
  const { loopwright, show, size, suffix } = stack;
  const atATime = Math.ceil(size.atATime / size.agents.length);
  // live traffic is mixed, the lists are in order of kind
  const kinds = [...Map.groupBy(learningTasks(agent, 1), ({ kind }) => kind).values()];
  const mixed = Array.from({ length: Math.max(...kinds.map(({ length }) => length)) }, (_, index) => kinds.flatMap((each) => each[index] ?? [])).flat();
  const sent: TaskRun[] = [];
  while (sent.length < MAX_TRAFFIC && !(await isDone())) {
    const tasks = Array.from({ length: 2 * atATime }, (_, index) => {
      const place = sent.length + index;
      return { agent, taskId: `${agent}-${name}-${String(place + 1).padStart(2, '0')}${suffix}`, input: mixed[place % mixed.length]!.input, memory: 'withheld' as const };
    });
    sent.push(...(await runTasks(loopwright, show, `live tasks of ${agent}, after ${sent.length}`, tasks, atATime)));
  }
  return sent;
}

export function sayCanaries({ show }: LearningStack, canaries: readonly Canaried[]): void {
  show.table(
    ['', 'agent', 'rule', 'right at first: with it', 'without it', 'pairs', 'evidence of harm'],
    canaries.map(({ agent, content, status, figures }) => [
      status === 'live' ? show.paint.green(status) : show.paint.red(status),
      agent,
      cut(content, 56),
      figures ? `${figures.with.passed} of ${figures.with.tasks}` : '–',
      figures ? `${figures.without.passed} of ${figures.without.tasks}` : '–',
      figures?.pairs ?? '–',
      figures ? figures.evidence.toFixed(1) : '–',
    ]),
    [3, 4, 5, 6],
  );
  show.say();
}
