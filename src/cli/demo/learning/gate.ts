import type { ExperimentResult } from '../../../contracts/learning.ts';
import type { RuleRow } from '../../../store/rules.ts';
import { cut } from '../../text/format.ts';
import { safe } from '../../text/safe.ts';
import { pText } from './figures.ts';
import { AUTHOR, REVIEWER, type LearningStack } from './stack.ts';
import type { LearningAgent } from './tasks.ts';

export interface Tested {
  agent: LearningAgent;
  ruleId: string;
  version: number;
  content: string;
  /** It can change nothing, and is here to be rejected. */
  isUseless: boolean;
  result: ExperimentResult;
}

/** True of every agent and of no use to any. */
const USELESS = 'Remember that whoever reads the answer may be busy, and that the day has only so many hours for all of us.';

/** Every approved rule of every agent against the regression set, one after the other: in a series each result decides the next one's level. Agents side by side; the first also tries a useless one. */
export async function runGate(stack: LearningStack, approved: Map<LearningAgent, RuleRow[]>): Promise<Tested[]> {
  const byAgent = await Promise.all(
    [...approved].map(async ([agent, rules]) => {
      const tested: Tested[] = [];
      for (const rule of rules) tested.push(await test(stack, agent, rule, false));
      const useless = rules[0] && agent === stack.size.agents[0] ? await proposeUseless(stack, agent, rules[0]) : null;
      if (useless) tested.push(await test(stack, agent, useless, true));
      return tested;
    }),
  );
  return byAgent.flat();
}

async function test({ loopwright, show, size, suffix }: LearningStack, agent: LearningAgent, { ruleId, version, content }: RuleRow, isUseless: boolean): Promise<Tested> {
  const name = `experiment of ${agent}, “${cut(content, 40)}”`;
  show.progress(name, 'starts');
  const { experimentId } = await loopwright.experiment.start({
    experimentId: `experiment-${ruleId}${suffix}`,
    startedBy: REVIEWER.actor,
    rule: { ruleId, version },
    cases: size.cases,
    repeats: size.repeats,
    concurrency: Math.ceil(size.atATime / size.agents.length),
  });
  const watching = setInterval(() => {
    void loopwright.experiment.progress(experimentId).then(
      ({ ended, planned }) => show.progress(name, `${ended} of ${planned} tasks`),
      () => {},
    );
  }, 1_000);
  try {
    return { agent, ruleId, version, content, isUseless, result: await loopwright.experiment.result(experimentId) };
  } finally {
    clearInterval(watching);
    show.progress(name, null);
  }
}

/** By hand, with a source as every proposal has. */
async function proposeUseless({ store }: LearningStack, agent: LearningAgent, { sources }: RuleRow): Promise<RuleRow> {
  const { ruleId, version } = await store.rules.propose({
    agent,
    tenant: 'default',
    kind: 'sentence',
    content: USELESS,
    payload: null,
    createdBy: AUTHOR,
    sources: sources.slice(0, 1),
    chunks: [],
    signature: null,
    expectedEffect: 'Fewer corrections.',
    scopeTerms: [],
  });
  const step = { ruleId, version, ...REVIEWER };
  await store.rules.move({ ...step, to: 'in_review', reason: 'Somebody proposed it by hand.' });
  await store.rules.move({ ...step, to: 'preview', reason: 'It sounds harmless: the experiment will say.' });
  return (await store.rules.get(ruleId, version))!;
}

export function sayGate({ show }: LearningStack, tested: readonly Tested[]): void {
  show.table(
    ['', 'agent', 'rule', 'cases', 'base', 'with it', 'won', 'lost', 'p', 'level'],
    tested.map(({ agent, content, result }) => [
      result.decision === 'promote' ? show.paint.green('promote') : show.paint.yellow(result.decision.replaceAll('_', ' ')),
      agent,
      cut(content, 56),
      result.cases,
      rate(result.base.firstAttemptPassRate),
      rate(result.candidate.firstAttemptPassRate),
      result.wins,
      result.losses,
      pText(result.p).replace('p = ', '').replace('p ', ''),
      Number(result.alpha.toPrecision(2)),
    ]),
    [3, 4, 5, 6, 7, 8, 9],
  );
  const useless = tested.filter(({ isUseless }) => isUseless);
  for (const { agent, result } of useless) show.say(show.paint.dim(safe`   The useless one of ${agent}: ${result.why}`));
}

const rate = (share: number | null): string => (share === null ? '–' : `${Math.round(100 * share)}%`);
