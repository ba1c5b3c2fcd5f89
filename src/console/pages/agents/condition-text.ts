import type { Condition } from '../../../contracts/tool-call.ts';

const SIGNS: Record<Condition['op'], string> = { equals: '=', not_equals: '≠', in: '∈', not_in: '∉', at_least: '≥', at_most: '≤', above: '>', below: '<', exists: '∃' };

/** A condition in a line: `amount > 100`, `order.status ∈ paid, sent`. */
export function conditionText({ field, op, value, argument }: Condition): string {
  if (op === 'exists') return `${SIGNS.exists} ${field}`;
  const other = argument ?? (Array.isArray(value) ? value.join(', ') : JSON.stringify(value));
  return `${field} ${SIGNS[op]} ${other}`;
}
