import type { ToolCallStatus } from '../contracts/reasons.ts';
import type { SnapshotTool } from '../contracts/snapshot.ts';
import type { Condition, Fields, Requirement, Scalar } from '../contracts/tool-call.ts';
import { cutText } from './text.ts';

/** A finished call, as requirements look at it. In the order in which the calls finished. */
export type ToolResultFields = { callId: string; tool: string; status: ToolCallStatus; fields: Fields };

export type RequirementCheck =
  | { ok: true }
  | { ok: false; because: string; requirement: Requirement; /** `missing`: no success to look at. `field`: its fields don't fit. */ code: 'missing' | 'field' };

/** UTF-16 units of a string field; longer values are cut. */
const MAX_FIELD_CHARS = 200;

/** Own properties only: a path like `constructor` finds nothing. */
export function readField(fields: Fields, path: string): Scalar | undefined {
  return Object.hasOwn(fields, path) ? fields[path] : undefined;
}

/** A cut value stands for many: two equal cut values may have been different. */
function wasCut(value: Scalar): boolean {
  return typeof value === 'string' && value.length >= MAX_FIELD_CHARS - 1 && value.endsWith('…');
}

function finite(value: Scalar | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function compare(actual: Scalar, expected: Scalar, fits: (actual: number, expected: number) => boolean): boolean {
  return finite(actual) && finite(expected) && fits(actual, expected);
}

/** What the field is compared with; undefined when it can't be known. */
function expectedOf(condition: Condition, callFields: Fields): Scalar | Scalar[] | undefined {
  return condition.argument === undefined ? condition.value : readField(callFields, condition.argument);
}

/** Whether a field fits. A missing field or argument, or values that can't be compared, are false; never throws. */
export function checkCondition(condition: Condition, fields: Fields, callFields: Fields): boolean {
  const actual = readField(fields, condition.field);
  if (actual === undefined) return false;
  if (condition.op === 'exists') return actual !== null;
  const expected = expectedOf(condition, callFields);
  if (expected === undefined) return false;
  const list = Array.isArray(expected) ? expected : [expected];
  const [first] = list;
  const uncertain = wasCut(actual) && list.includes(actual);
  switch (condition.op) {
    case 'equals':
      return list.length === 1 && actual === first && !uncertain;
    case 'not_equals':
      return list.length === 1 && actual !== first;
    case 'in':
      return list.includes(actual) && !uncertain;
    case 'not_in':
      return !list.includes(actual);
    case 'at_least':
      return first !== undefined && compare(actual, first, (a, b) => a >= b);
    case 'at_most':
      return first !== undefined && compare(actual, first, (a, b) => a <= b);
    case 'above':
      return first !== undefined && compare(actual, first, (a, b) => a > b);
    case 'below':
      return first !== undefined && compare(actual, first, (a, b) => a < b);
    default:
      return false;
  }
}

/**
 * A condition that says which results count ("the same order"): equality with an argument. Other comparisons with an
 * argument ("at most the order's total") are tests: if they selected too, an older result that fits would hide the latest.
 */
export function isSelector(condition: Condition): boolean {
  return condition.argument !== undefined && (condition.op === 'equals' || condition.op === 'in');
}

/** Whether every requirement holds: of the successes that its selectors choose, the latest must fit all other conditions. */
export function checkRequirements(requires: Requirement[], results: ToolResultFields[], callFields: Fields): RequirementCheck {
  for (const requirement of requires) {
    const selectors = requirement.where.filter(isSelector);
    const latest = results.findLast(
      (result) => result.tool === requirement.tool && result.status === 'success' && selectors.every((condition) => checkCondition(condition, result.fields, callFields)),
    );
    if (!latest) return { ok: false, because: requirement.because, requirement, code: 'missing' };
    if (!requirement.where.every((condition) => checkCondition(condition, latest.fields, callFields))) {
      return { ok: false, because: requirement.because, requirement, code: 'field' };
    }
  }
  return { ok: true };
}

function valueAt(value: unknown, path: string): unknown {
  let current = value;
  for (const key of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}

function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}

/** The scalars at these dotted paths ("order.status", "items.0.id") of a JSON value; what is absent or no scalar is left out. */
export function fieldsOf(value: unknown, paths: string[]): Fields {
  const found: [string, Scalar][] = [];
  for (const path of paths) {
    const field = valueAt(value, path);
    if (isScalar(field)) found.push([path, typeof field === 'string' ? cutText(field, MAX_FIELD_CHARS) : field]);
  }
  return Object.fromEntries(found);
}

type Paths = Map<string, Set<string>>;

function add(to: Paths, tool: string, path: string): void {
  to.set(tool, (to.get(tool) ?? new Set()).add(path));
}

function plain(paths: Paths): Record<string, string[]> {
  return Object.fromEntries([...paths].map(([tool, of]) => [tool, [...of].toSorted()]));
}

/** Which fields of each tool's result and of each tool's arguments some requirement or risk predicate looks at. */
export function pathsFor(tools: SnapshotTool[]): { results: Record<string, string[]>; arguments: Record<string, string[]> } {
  const results: Paths = new Map(tools.map((tool) => [tool.name, new Set()]));
  const callArguments: Paths = new Map(tools.map((tool) => [tool.name, new Set()]));
  for (const tool of tools) {
    for (const requirement of tool.requires) {
      for (const condition of requirement.where) {
        add(results, requirement.tool, condition.field);
        if (condition.argument !== undefined) add(callArguments, tool.name, condition.argument);
      }
    }
    for (const { when } of tool.riskWhen) {
      add(callArguments, tool.name, when.field);
      if (when.argument !== undefined) add(callArguments, tool.name, when.argument);
    }
  }
  return { results: plain(results), arguments: plain(callArguments) };
}
