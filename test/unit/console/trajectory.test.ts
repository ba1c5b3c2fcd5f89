import { describe, expect, it } from 'vitest';
import type { AttemptView, TaskDetail, TaskFacts, ToolCallView, TurnView } from '../../../src/contracts/api/task-detail.ts';
import { factsNow } from '../../../src/console/pages/task/facts-now.ts';
import { rowsOf } from '../../../src/console/pages/task/trajectory.ts';
import { addTurns, missingTurns } from '../../../src/console/pages/task/turn-pages.ts';
import { barsOf, extentOf, lengthOf } from '../../../src/console/pages/task/waterfall.ts';
import { callsInOrder, scoreSeries, sumsByModel } from '../../../src/console/pages/task/scores.ts';

const START = Date.parse('2026-03-01T10:00:00.000Z');
const at = (seconds: number): string => new Date(START + seconds * 1_000).toISOString();

const modelCall = (attempt: number | null, turn: number | null, seconds: number, more = {}) => ({
  attempt,
  turn,
  purpose: 'decide',
  model: 'writer',
  status: 'ok',
  error: null,
  finishReason: 'stop',
  inputTokens: 100,
  outputTokens: 10,
  costMicros: 120,
  estimated: false,
  startedAt: at(seconds),
  durationMs: 500,
  ...more,
});

const toolCall = (attempt: number, turn: number, seconds: number, more: Partial<ToolCallView> = {}): ToolCallView => ({
  callId: `a${attempt}.t${turn}.c1`,
  attempt,
  turn,
  tool: 'look_up',
  toolVersion: '1',
  risk: 'read',
  status: 'success',
  arguments: null,
  result: null,
  code: null,
  reason: null,
  failureStage: null,
  approvalId: null,
  executions: 1,
  confidence: 0.9,
  why: null,
  startedAt: at(seconds),
  endedAt: at(seconds + 1),
  durationMs: 1_000,
  ...more,
});

const turn = (attempt: number, number: number, seconds: number, calls: ToolCallView[] = []): TurnView => ({
  attempt,
  turn: number,
  decisionType: calls.length > 0 ? 'tool' : 'answer',
  tools: calls.map((call) => call.tool),
  confidence: 0.9,
  reason: 'because',
  problem: null,
  problemText: null,
  failureStage: null,
  output: null,
  inputTokens: 100,
  outputTokens: 10,
  costMicros: 120,
  at: at(seconds),
  toolCalls: calls,
  modelCalls: [modelCall(attempt, number, seconds - 1)],
});

const attempt = (number: number, from: number, more: Partial<AttemptView> = {}): AttemptView => ({
  attempt: number,
  closed: true,
  model: 'writer',
  promptVersion: null,
  parameters: null,
  output: null,
  score: 50,
  passed: false,
  verdicts: [],
  correction: null,
  action: null,
  stopReason: null,
  askedPerson: false,
  inputTokens: 1,
  outputTokens: 1,
  costMicros: 1,
  startedAt: at(from),
  endedAt: at(from + 9),
  turnCount: 1,
  toolCallCount: 0,
  turns: [],
  ...more,
});

const facts = (more: Partial<TaskFacts>): TaskFacts => ({
  plans: [],
  attempts: [],
  nextTurns: null,
  modelCalls: [],
  approvals: [],
  tuneChanges: [],
  refusals: [],
  feedback: [],
  events: 0,
  ...more,
});

const approval = (id: string, seconds: number, more = {}) => ({
  id,
  kind: 'tool_call' as const,
  risk: 'dangerous' as const,
  summary: 'may it?',
  payload: '{}',
  hash: 'h',
  tool: 'refund',
  createdAt: at(seconds),
  expiresAt: at(seconds + 60),
  onTimeout: 'reject' as const,
  status: 'pending' as const,
  decision: null,
  approvers: { quorum: 1 as const, roles: ['approver'], people: null, excludeRequester: false },
  votes: [],
  remindAt: null,
  escalation: null,
  ...more,
});

const keys = (given: TaskFacts, turns: TurnView[], open: number[]): string[] => rowsOf(given, addTurns(new Map(), turns), new Set(open)).map((row) => row.key);

describe('the rows of a trajectory', () => {
  it('are in the order in which things happened, each under its attempt', () => {
    const given = facts({
      plans: [
        { version: 1, goal: 'g', steps: [], because: null, accepted: true, at: at(0) },
        { version: 2, goal: 'g', steps: [], because: 'it broke', accepted: true, at: at(7) },
      ],
      attempts: [attempt(1, 1, { turnCount: 2, verdicts: [{}] as never, correction: {} as never }), attempt(2, 20)],
      approvals: [approval('a1.t1.c1', 3), approval('question.1', 0.5)],
    });
    const turns = [turn(1, 1, 2, [toolCall(1, 1, 4)]), turn(1, 2, 8), turn(2, 1, 22)];
    expect(keys(given, turns, [1, 2])).toEqual([
      'plan 1',
      'approval question.1',
      'attempt 1',
      'turn 1.1',
      'approval a1.t1.c1',
      'call a1.t1.c1',
      'plan 2',
      'turn 1.2',
      'verdicts 1',
      'correction 1',
      'attempt 2',
      'turn 2.1',
    ]);
  });

  it('hold of a folded attempt the head alone', () => {
    expect(keys(facts({ attempts: [attempt(1, 1), attempt(2, 20)] }), [turn(1, 1, 2), turn(2, 1, 22)], [2])).toEqual(['attempt 1', 'attempt 2', 'turn 2.1']);
  });

  it('say how many turns are not loaded', () => {
    const rows = rowsOf(facts({ attempts: [attempt(1, 1, { turnCount: 2_000 })] }), addTurns(new Map(), [turn(1, 1, 2)]), new Set([1]));
    expect(rows.at(-1)).toEqual({ key: 'more 1', kind: 'more', attempt: 1, shown: 1, total: 2_000 });
  });

  it('show a call no earlier than the turn that asked for it', () => {
    expect(keys(facts({ attempts: [attempt(1, 1)] }), [turn(1, 1, 5, [toolCall(1, 1, 4.999, { status: 'denied' })])], [1])).toEqual(['attempt 1', 'turn 1.1', 'call a1.t1.c1']);
  });

  it('lose and double nothing when the attempt that runs has no row of its own yet', () => {
    const given = facts({ attempts: [attempt(1, 1), attempt(2, 0, { startedAt: null, closed: false })], approvals: [approval('a2.t1.c1', 31)] });
    expect(keys(given, [turn(1, 1, 2), turn(2, 1, 30)], [1, 2])).toEqual(['attempt 1', 'turn 1.1', 'attempt 2', 'turn 2.1', 'approval a2.t1.c1']);
    expect(keys(given, [turn(1, 1, 2)], [1, 2]).filter((key) => key === 'approval a2.t1.c1')).toHaveLength(1);
  });
});

describe('pages of turns', () => {
  it('replace what was read before, in order', () => {
    const first = addTurns(new Map(), [turn(1, 1, 1), turn(1, 2, 2)]);
    const second = addTurns(first, [{ ...turn(1, 2, 2), reason: 'newer' }, turn(1, 3, 3), turn(2, 1, 9)]);
    expect(second.get(1)!.map((each) => [each.turn, each.reason])).toEqual([
      [1, 'because'],
      [2, 'newer'],
      [3, 'because'],
    ]);
    expect(second.get(2)).toHaveLength(1);
    expect(missingTurns(second, attempt(1, 0, { turnCount: 5 }))).toBe(2);
  });
  it('wait for the page that fills a gap', () => {
    const gapped = addTurns(new Map(), [turn(1, 1, 1), turn(1, 9, 9)]);
    expect(gapped.get(1)!.map((each) => each.turn)).toEqual([1]);
  });
});

describe('the bars of a waterfall', () => {
  const bars = barsOf({
    turns: [
      turn(1, 1, 2, [toolCall(1, 1, 3), toolCall(1, 1, 3, { callId: 'a1.t1.c2', status: 'denied' }), toolCall(1, 1, 4, { callId: 'a1.t1.c3', status: 'started', endedAt: null })]),
    ],
    modelCalls: [modelCall(1, null, 9, { purpose: 'judge', status: 'timeout' }), modelCall(null, null, 0, { purpose: 'perceive' })],
    approvals: [approval('a1.t1.c1', 3), approval('gone', 3, { status: 'withdrawn' })],
  });
  it('are in the order in which they began, without what was never run', () => {
    expect(bars.map((bar) => [bar.kind, bar.name, bar.state])).toEqual([
      ['model', 'perceive', 'ok'],
      ['model', 'decide', 'ok'],
      ['person', 'tool_call', 'open'],
      ['tool', 'look_up', 'ok'],
      ['tool', 'look_up', 'open'],
      ['model', 'judge', 'bad'],
    ]);
  });
  it('know how long they are, and go on until now when they have no end', () => {
    expect(lengthOf(bars[3]!, START)).toBe(1_000);
    expect(lengthOf(bars[4]!, START + 30_000)).toBe(26_000);
    const { whole, busy } = extentOf(bars, START + 30_000);
    expect(whole).toEqual({ from: START, to: START + 30_000 });
    expect(busy).toHaveLength(5);
  });
});

describe('the series of scores and costs', () => {
  it('have a score for each closed attempt, and the bound', () => {
    expect(scoreSeries([attempt(1, 0), attempt(2, 0, { score: null }), attempt(3, 0, { closed: false })], 80, { score: 's', pass: 'p' })).toEqual({
      labels: ['1', '2'],
      series: [
        { label: 's', values: [50, null] },
        { label: 'p', values: [80, 80], bound: true },
      ],
    });
  });
  it('sum up model calls by model and purpose, dearest first', () => {
    const calls = callsInOrder(
      [turn(1, 1, 2), turn(1, 2, 5)],
      [modelCall(null, null, 0, { purpose: 'perceive', status: 'error', inputTokens: null, costMicros: 999, estimated: true })],
    );
    expect(calls.map((call) => call.label)).toEqual(['perceive', '1.1', '1.2']);
    expect(sumsByModel(calls)).toEqual([
      { model: 'writer', purpose: 'perceive', calls: 1, failed: 1, inputTokens: 0, outputTokens: 10, costMicros: 999, durationMs: 500, estimated: true },
      { model: 'writer', purpose: 'decide', calls: 2, failed: 0, inputTokens: 200, outputTokens: 20, costMicros: 240, durationMs: 1_000, estimated: false },
    ]);
  });
});

describe('the facts of a running task', () => {
  const state = (more: object) => ({ approvals: [], changes: [], refusals: [], ...more }) as unknown as TaskDetail['state'];
  it('are the stored ones and what only the workflow knows yet, each once', () => {
    const change = { field: 'maxAttempts' as const, from: 3, to: 5, by: 'olga', at: at(1) };
    const later = { ...change, from: 5, to: 6, at: at(2) };
    const now = factsNow({ view: facts({ tuneChanges: [change] }), state: state({ changes: [change, later] }) });
    expect(now.tuneChanges).toEqual([change, later]);
  });
  it('have a decision as soon as the workflow has it, and never less than what is stored', () => {
    const decided = approval('a', 1, { status: 'approved' });
    expect(factsNow({ view: facts({ approvals: [approval('a', 1)] }), state: state({ approvals: [decided] }) }).approvals).toEqual([decided]);
    expect(factsNow({ view: facts({ approvals: [decided] }), state: state({ approvals: [approval('a', 1)] }) }).approvals).toEqual([decided]);
    expect(factsNow({ view: facts({ approvals: [decided] }), state: null }).approvals).toEqual([decided]);
  });
});
