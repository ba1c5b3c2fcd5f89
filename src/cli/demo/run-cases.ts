import type { AgentCase } from '../../agents/case.ts';
import type { AnyAgent } from '../../agents/define-agent.ts';
import type { Loopwright } from '../../client.ts';
import type { Outcome } from '../../contracts/outcome.ts';
import type { Store } from '../../store/store.ts';
import { outcomeLines } from '../outcome-lines.ts';
import { cut } from '../text/format.ts';
import { type Paint, type Safe, safe } from '../text/safe.ts';
import { follow } from '../trajectory/follow.ts';
import { createDemoApprover } from './approver.ts';
import { type Block, createBlocks } from './blocks.ts';
import { differencesOf } from './differences.ts';

export interface NamedCase {
  agent: string;
  sample: AgentCase;
}

export interface CaseResult extends NamedCase {
  taskId: string;
  /** Null when the task ended without one; `differences` says why. */
  outcome: Outcome | null;
  differences: string[];
}

export interface DemoRun {
  loopwright: Loopwright<Record<string, AnyAgent>>;
  store: Store;
  paint: Paint;
  say: (line: Safe) => void;
  /** Ends task ids where other runs share the Temporal server. */
  suffix: string;
  scripted: boolean;
  urlOf: (taskId: string) => string | null;
}

/** Tasks that run at the same time: more are no faster on two cores. */
const CONCURRENCY = 3;

/** What the case's people do not answer expires soon, so that a demo with a real model ends too; ms. */
const WAITS = { approvalTimeoutMs: 60_000, questionTimeoutMs: 60_000 };

/** Runs all cases, in their order, a few at a time. */
export async function runCases(cases: NamedCase[], run: DemoRun): Promise<CaseResult[]> {
  const blocks = createBlocks(run.say);
  const results: CaseResult[] = [];
  const waiting = cases.map((named, index) => ({ named, index, ended: Promise.withResolvers<void>() }));
  const before = [...waiting];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { named, index, ended } = next;
      // it stands earlier in the list, so some lane is at it or has ended it
      await before.slice(0, index).find((each) => each.named.agent === named.agent && each.named.sample.name === named.sample.after)?.ended.promise;
      results[index] = await runCase(named, run, blocks.open(), `${index + 1}/${cases.length}`);
      ended.resolve();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  return results;
}

async function runCase({ agent, sample }: NamedCase, run: DemoRun, block: Block, position: string): Promise<CaseResult> {
  const { paint } = run;
  const taskId = `${agent}-${sample.name}${run.suffix}`;
  const result: CaseResult = { agent, sample, taskId, outcome: null, differences: [] };
  block.say(safe``);
  block.say(safe`${paint.dim(`[${position}]`)} ${paint.bold(taskId)}  ${sample.title}`);
  block.say(safe`${paint.dim('input'.padEnd(11))}${inputLine(sample.input)}`);
  try {
    const task = await run.loopwright.start(agent, sample.input as never, { taskId, startedBy: 'demo', limits: { ...WAITS, ...sample.limits }, parameters: sample.parameters });
    result.outcome = await follow({ store: run.store, task, paint, say: block.say, onView: createDemoApprover(sample, task) });
    result.differences = differencesOf(sample, result.outcome, run.scripted);
    outcomeLines(paint, result.outcome, run.urlOf(taskId)).forEach(block.say);
  } catch (error) {
    result.differences = [(error as Error).message];
  }
  for (const difference of result.differences) block.say(safe`  ${paint.red('✗ not as expected')}: ${difference}`);
  block.end();
  return result;
}

function inputLine(input: unknown): string {
  const message = (input as { message?: unknown } | null)?.message;
  return cut(typeof message === 'string' ? message : (JSON.stringify(input) ?? ''), 200);
}
