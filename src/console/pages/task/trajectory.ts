/** A task's facts as rows of one list, in the order in which they happened, folded attempts without their inside. */
import type { ApprovalFields } from '../../../contracts/api/approvals.ts';
import type { AttemptView, PlanView, TaskFacts, ToolCallView, TurnView } from '../../../contracts/api/task-detail.ts';

type TuneChange = TaskFacts['tuneChanges'][number];
type Refusal = TaskFacts['refusals'][number];

/** One row; `key` stays the same for the same fact in a later look. */
export type Row = { key: string } & (
  | { kind: 'attempt'; attempt: AttemptView; open: boolean }
  | { kind: 'plan'; plan: PlanView }
  | { kind: 'turn'; turn: TurnView }
  | { kind: 'call'; call: ToolCallView }
  | { kind: 'approval'; approval: ApprovalFields }
  | { kind: 'tuned'; change: TuneChange }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'more'; attempt: number; shown: number; total: number }
  | { kind: 'verdicts'; attempt: AttemptView }
  | { kind: 'correction'; attempt: AttemptView }
);

interface Placed {
  /** Unix ms */
  at: number;
  /** Which of two facts of one moment came first in the loop. */
  rank: number;
  row: Row;
}

/** @param turns what is loaded of each attempt, in order @param open attempts whose inside is shown */
export function rowsOf(facts: TaskFacts, turns: ReadonlyMap<number, readonly TurnView[]>, open: ReadonlySet<number>): Row[] {
  const loose = looseRows(facts);
  const starts = facts.attempts.map((attempt) => startOf(attempt, turns.get(attempt.attempt)));
  const rows = loose.filter(({ at }) => at < (starts[0] ?? Infinity)).map(({ row }) => row);
  for (const [index, attempt] of facts.attempts.entries()) {
    const shown = turns.get(attempt.attempt) ?? [];
    const isOpen = open.has(attempt.attempt);
    rows.push({ key: `attempt ${attempt.attempt}`, kind: 'attempt', attempt, open: isOpen });
    if (!isOpen) continue;
    const own = loose.filter(({ at }) => at >= starts[index]! && at < Math.min(...starts.slice(index + 1)));
    rows.push(...[...shown.flatMap(turnRows), ...own].toSorted(byTime).map(({ row }) => row));
    if (shown.length < attempt.turnCount) rows.push({ key: `more ${attempt.attempt}`, kind: 'more', attempt: attempt.attempt, shown: shown.length, total: attempt.turnCount });
    if (attempt.verdicts.length > 0) rows.push({ key: `verdicts ${attempt.attempt}`, kind: 'verdicts', attempt });
    if (attempt.correction) rows.push({ key: `correction ${attempt.attempt}`, kind: 'correction', attempt });
  }
  return rows;
}

/** An attempt that has just begun has no row of its own yet: it began with its first turn. */
function startOf(attempt: AttemptView, turns: readonly TurnView[] | undefined): number {
  const first = attempt.startedAt ?? turns?.[0]?.at;
  return first ? Date.parse(first) : Infinity;
}

function turnRows(turn: TurnView): Placed[] {
  const own: Placed = { at: Date.parse(turn.at), rank: 0, row: { key: `turn ${turn.attempt}.${turn.turn}`, kind: 'turn', turn } };
  // A call that was denied may be recorded in the same moment as its turn, never before it.
  return [own, ...turn.toolCalls.map((call): Placed => ({ at: Math.max(own.at, Date.parse(call.startedAt)), rank: 2, row: { key: `call ${call.callId}`, kind: 'call', call } }))];
}

/** What belongs to a moment rather than to a turn. */
function looseRows(facts: TaskFacts): Placed[] {
  return [
    ...facts.plans.map((plan): Placed => ({ at: Date.parse(plan.at), rank: 3, row: { key: `plan ${plan.version}`, kind: 'plan', plan } })),
    ...facts.approvals.map((approval): Placed => ({ at: Date.parse(approval.createdAt), rank: 1, row: { key: `approval ${approval.id}`, kind: 'approval', approval } })),
    ...facts.tuneChanges.map((change): Placed => ({ at: Date.parse(change.at), rank: 4, row: { key: `tuned ${change.field} ${change.at}`, kind: 'tuned', change } })),
    ...facts.refusals.map((refusal): Placed => ({ at: Date.parse(refusal.at), rank: 4, row: { key: `refused ${refusal.at} ${refusal.text}`, kind: 'refused', refusal } })),
  ].toSorted(byTime);
}

function byTime(left: Placed, right: Placed): number {
  return left.at - right.at || left.rank - right.rank;
}
