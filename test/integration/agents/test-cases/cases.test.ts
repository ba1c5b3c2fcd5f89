import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCases, type AgentCase } from '../../../../src/agents/case.ts';
import { testCasesAgent } from '../../../../src/agents/test-cases/agent.ts';
import type { TestCasesOutput } from '../../../../src/agents/test-cases/schemas.ts';
import { testCasesScript } from '../../../../src/agents/test-cases/scripted.ts';
import type { AnyAgent } from '../../../../src/agents/define-agent.ts';
import type { Outcome } from '../../../../src/contracts/outcome.ts';
import { startLoop, type Loop } from '../../../support/loop.ts';
import { DEMO_PRICE } from '../../../support/play-case.ts';

const cases = parseCases(readFileSync(new URL('../../../../src/agents/test-cases/cases.jsonl', import.meta.url), 'utf8'));

let loop: Loop;
beforeAll(async () => {
  loop = await startLoop({ agents: { 'test-cases': testCasesAgent as AnyAgent }, scripts: { 'test-cases': testCasesScript }, writer: DEMO_PRICE, judge: DEMO_PRICE });
});
afterAll(() => loop?.stop());

async function play(name: string): Promise<{ sample: AgentCase; outcome: Outcome; taskId: string }> {
  const sample = cases.find((each) => each.name === name)!;
  const task = await loop.client.start('test-cases', sample.input, { limits: sample.limits, parameters: sample.parameters });
  return { sample, outcome: await task.result(), taskId: task.taskId };
}

const scoresOf = ({ attempts }: Outcome) => attempts.map(({ score }) => score);

/** What makes each case what it is, besides its outcome. */
const FACTS: Record<string, (outcome: Outcome) => void> = {
  'improves-to-pass': (outcome) => expect(scoresOf(outcome)).toEqual([...scoresOf(outcome)].toSorted((a, b) => a! - b!)),
  'reference-corrects': ({ attempts }) => {
    expect(attempts[0]!.issues).toEqual([expect.stringContaining('TC-001 expects')]);
    expect(attempts[1]!.score).toBe(100);
  },
  'kept-case-changed': ({ attempts }) => expect(attempts.flatMap(({ issues }) => issues)).toContain('TC-001 was to be kept, and its title changed.'),
  'echoes-issues': (outcome) => expect(new Set(scoresOf(outcome)).size).toBe(1),
  oscillates: (outcome) => {
    expect(scoresOf(outcome)).toEqual([40, 80, 50]);
    expect(outcome).toMatchObject({ bestAttempt: 2, score: 80, oscillated: true });
  },
  'out-of-tokens': ({ output }) => expect((output as TestCasesOutput).cases.length).toBeGreaterThan(0),
  'out-of-money': ({ output }) => expect((output as TestCasesOutput).cases.length).toBeGreaterThan(0),
  'out-of-time': ({ output }) => expect((output as TestCasesOutput).cases.length).toBeGreaterThan(0),
};

describe("the test-cases agent's sample cases, through the whole loop", () => {
  it.each(cases.map(({ name }) => name))('%s', async (name) => {
    const {
      sample: { expected },
      outcome,
    } = await play(name);
    if (process.env['SHOW']) console.log(name, JSON.stringify(outcome.attempts, null, 1));
    const short = { outcome: outcome.outcome, reason: outcome.reason, attempts: outcome.attempts };
    expect(short, outcome.explanation).toMatchObject({ outcome: expected.outcome, reason: expected.reason });
    if (expected.attempts !== undefined) expect(outcome.attempts).toHaveLength(expected.attempts);
    expect(outcome.output).toMatchObject(expected.output ?? {});
    for (const part of expected.textIncludes ?? []) expect(outcome.text).toContain(part);
    FACTS[name]?.(outcome);
  });
});
