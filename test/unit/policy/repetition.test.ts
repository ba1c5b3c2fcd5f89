import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/contracts/limits.ts';
import { guardCall } from '../../../src/policy/guard.ts';
import type { CallRecord } from '../../../src/policy/repetition.ts';
import { detectPingPong, repeatedCalls } from '../../../src/policy/repetition.ts';
import { canonicalJson, hashArguments } from '../../../src/tools/canonical-json.ts';
import { call, snapshot, tool } from './samples.ts';
import { hasCases, readCases } from '../../support/cases.ts';

function record(turn: number, name: string, change: Partial<CallRecord> = {}): CallRecord {
  return { turn, tool: name, argumentsHash: 'x', status: 'success', resultHash: 'r', ...change };
}

const same = (count: number, change: Partial<CallRecord> = {}) => Array.from({ length: count }, (_, index) => record(index + 1, 'read_file', change));
const ask = { tool: 'read_file', argumentsHash: 'x' };

describe('repeatedCalls', () => {
  it('warns at the limit and stops one later', () => {
    expect([0, 1, 2, 3, 9].map((count) => repeatedCalls(same(count), ask, 3).verdict)).toEqual(['ok', 'ok', 'warn', 'stop', 'stop']);
    expect(repeatedCalls(same(2), ask, 3).count).toBe(3);
  });

  it('counts failures, and the denials that the warning itself caused', () => {
    expect(repeatedCalls(same(3, { status: 'failure', resultHash: null }), ask, 3).verdict).toBe('stop');
    expect(repeatedCalls([...same(2), record(3, 'read_file', { status: 'denied', resultHash: null })], ask, 3).verdict).toBe('stop');
    expect(repeatedCalls(same(3, { argumentsHash: null, status: 'denied' }), { tool: 'read_file', argumentsHash: null }, 3).verdict).toBe('stop');
  });

  it('does not count a call that brings something new each time', () => {
    const fresh = [1, 2, 3, 4, 5].map((turn) => record(turn, 'read_file', { resultHash: `r${turn}` }));
    expect(repeatedCalls(fresh, ask, 2).verdict).toBe('ok');
    expect(repeatedCalls([...fresh, record(6, 'read_file', { resultHash: 'r5' })], ask, 2).verdict).toBe('warn');
  });

  it('takes a test that is run again after an edit as progress, but not after other calls in vain', () => {
    const edited = [1, 2, 3, 4].flatMap((round) => [record(round * 2, 'run_tests'), record(round * 2 + 1, 'edit', { argumentsHash: `e${round}` })]);
    expect(repeatedCalls(edited, { tool: 'run_tests', argumentsHash: 'x' }, 3).verdict).toBe('ok');
    const vain = [1, 2, 3].flatMap((round) => [record(round * 2, 'run_tests'), record(round * 2 + 1, 'list')]);
    expect(repeatedCalls(vain, { tool: 'run_tests', argumentsHash: 'x' }, 3).verdict).not.toBe('ok');
  });

  it('lets a polling call repeat', () => {
    expect(repeatedCalls(same(9, { polling: true }), ask, 3)).toEqual({ count: 1, verdict: 'ok' });
  });

  it('takes identical calls of one turn as one try', () => {
    expect(repeatedCalls([record(1, 'read_file'), record(1, 'read_file'), record(1, 'read_file')], ask, 3)).toEqual({ count: 2, verdict: 'ok' });
  });
});

const invented = (count: number) => Array.from({ length: count }, (_, index) => record(index + 1, 'fly', { argumentsHash: `a${index}`, status: 'denied', resultHash: null }));

describe('detectPingPong', () => {
  it.each([[['A', 'B']], [['A', 'B', 'C']], [['A', 'B', 'C', 'D']]])('finds the cycle %j', (cycle) => {
    const history = (times: number) => Array.from({ length: times * cycle.length }, (_, index) => record(index + 1, cycle[index % cycle.length]!));
    expect(detectPingPong(history(2), 3)).toBeNull();
    expect(detectPingPong([record(0, 'other'), ...history(3)], 3)).toContain(cycle.join(' → '));
  });

  it('leaves one turn to heed the warning', () => {
    expect(detectPingPong(same(3), 3)).toBeNull();
    expect(detectPingPong(same(4), 3)).toContain('read_file was called 4 times');
  });

  it('leaves polling and progress alone', () => {
    expect(detectPingPong(same(9, { polling: true }), 3)).toBeNull();
    expect(
      detectPingPong(
        [1, 2, 3, 4, 5, 6, 7, 8].map((turn) => record(turn, turn % 2 ? 'A' : 'B', { resultHash: `r${turn}` })),
        3,
      ),
    ).toBeNull();
    expect(
      detectPingPong(
        [1, 2, 3, 4, 5, 6].map((turn) => record(turn, 'A', { argumentsHash: `a${turn}` })),
        3,
      ),
    ).toBeNull();
  });

  it('finds a tool that never can run, whatever the arguments', () => {
    expect(detectPingPong(invented(3), 3)).toBeNull();
    expect(detectPingPong(invented(4), 3)).toContain('fly was asked for in 4 turns');
    const oneTurn = invented(9).map((each) => ({ ...each, turn: 1 }));
    expect(detectPingPong(oneTurn, 3)).toBeNull();
  });

  it('never takes a history in which every call brings news for a cycle', () => {
    const calls = fc.array(fc.record({ tool: fc.constantFrom('A', 'B'), argumentsHash: fc.constantFrom('x', 'y') }), { maxLength: 40 });
    fc.assert(
      fc.property(calls, fc.integer({ min: 2, max: 5 }), (all, limit) => {
        const history = all.map((each, index) => record(index, each.tool, { ...each, resultHash: `r${index}` }));
        // one and the same call, and nothing else for long, is none either, but is stopped for itself
        const others = all.findLastIndex((each) => JSON.stringify(each) !== JSON.stringify(all.at(-1)));
        fc.pre(all.length - 1 - others <= 2 * limit);
        expect(detectPingPong(history, limit)).toBeNull();
      }),
    );
  });
});

/** One call a turn, as the loop does it: guard, run or deny, remember; until something says stop. */
function turnsUntilStop(script: (turn: number) => { tool: string; arguments: string }, run: (name: string) => Pick<CallRecord, 'status' | 'resultHash'>) {
  const limit = DEFAULT_LIMITS.maxRepeatedCalls;
  const history: CallRecord[] = [];
  let warnedAt: number | null = null;
  for (let turn = 1; turn <= 50; turn += 1) {
    const { tool: name, arguments: text } = script(turn);
    const argumentsHash = hashArguments(JSON.parse(text));
    if (repeatedCalls(history, { tool: name, argumentsHash }, limit).verdict === 'stop') return { turn, warnedAt };
    const asked = call(name, {}, { argumentsHash });
    const verdict = guardCall({
      call: asked,
      snapshot: snapshot({ tools: [tool('read_file'), tool('A'), tool('B')] }),
      plan: null,
      results: [],
      rejectedHashes: [],
      history,
      position: 0,
    });
    if (verdict.verdict === 'deny') warnedAt ??= turn;
    history.push({ turn, tool: name, argumentsHash, ...(verdict.verdict === 'run' ? run(name) : { status: 'denied', resultHash: null }) });
    if (detectPingPong(history, limit)) return { turn, warnedAt };
  }
  return { turn: null, warnedAt };
}

describe.skipIf(!hasCases)('reported elsewhere', () => {
  const reports = readCases('reports.jsonl')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { id: string; right_behaviour: string });
  const expected = (id: string) => reports.find((report) => report.id === id)!.right_behaviour;

  it('LOOP-01: the same call in varying spelling is warned about at 3 and stopped before round 10', () => {
    expect(expected('LOOP-01')).toContain('no_progress in fewer than 10 rounds');
    const spellings = ['{"path":"a.txt","limit":5}', '{ "limit": 5, "path": "a.txt" }', '{"limit":5.0,\n"path":"a.txt"}'];
    expect(new Set(spellings.map((text) => canonicalJson(JSON.parse(text)))).size).toBe(1);
    const { turn, warnedAt } = turnsUntilStop(
      (at) => ({ tool: 'read_file', arguments: spellings[at % 3]! }),
      () => ({ status: 'success', resultHash: 'r' }),
    );
    expect(warnedAt).toBe(3);
    expect(turn).toBe(4);
  });

  it('LOOP-03: failing calls that alternate are stopped', () => {
    expect(expected('LOOP-03')).toContain('Ping-pong is detected within a bounded number of rounds');
    const { turn, warnedAt } = turnsUntilStop(
      (at) => (at % 2 ? { tool: 'A', arguments: '{"x":1}' } : { tool: 'B', arguments: '{"y":1}' }),
      () => ({ status: 'failure', resultHash: null }),
    );
    expect(warnedAt).toBe(5);
    expect(turn).toBe(6);
    expect(DEFAULT_LIMITS.maxTurns).toBeLessThan(100);
  });

  it('one call and nothing else is no progress, whatever comes back', () => {
    const each = (count: number) => Array.from({ length: count }, (_, index) => record(index + 1, 'clock', { resultHash: `${index}` }));
    expect([6, 7].map((count) => detectPingPong(each(count), 3) !== null)).toEqual([false, true]);
    expect(
      detectPingPong(
        each(7).map((each) => ({ ...each, polling: true })),
        3,
      ),
    ).toBeNull();
  });

  it('other names or arguments every time are no progress when nothing runs or nothing succeeds', () => {
    const each = (count: number, status: string) =>
      Array.from({ length: count }, (_, index) => record(index + 1, `tool_${index}`, { argumentsHash: `${index}`, status, resultHash: null }));
    expect([6, 7].map((count) => detectPingPong(each(count, 'denied'), 3))).toEqual([null, 'In 7 turns in a row no call could run.']);
    expect([12, 13].map((count) => detectPingPong(each(count, 'failure'), 3))).toEqual([null, 'In 13 turns in a row no call succeeded.']);
    expect(detectPingPong([...each(6, 'denied'), record(7, 'other'), record(7, 'tool_7', { status: 'denied' })], 3)).toBeNull();
  });

  it('any script of few calls in vain stops within a bounded number of turns', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('read_file', 'A', 'B'), fc.nat(1)), { minLength: 50, maxLength: 50 }), fc.boolean(), (script, fails) => {
        const outcome = turnsUntilStop(
          (at) => ({ tool: script[at - 1]![0], arguments: JSON.stringify({ x: script[at - 1]![1] }) }),
          (name) => (fails ? { status: 'failure', resultHash: null } : { status: 'success', resultHash: name }),
        );
        // Six different calls, each asked for at most three times after the last news before the fourth stops it.
        expect(outcome.turn).not.toBeNull();
        expect(outcome.turn).toBeLessThanOrEqual(50);
      }),
    );
  });
});
