import type { CallProblem, Fields, RequestedCall } from '../contracts/tool-call.ts';
import type { CallProblemCode, Risk } from '../contracts/reasons.ts';
import { canonicalJson, hashText } from './canonical-json.ts';
import { coerceArguments } from './coerce-arguments.ts';
import type { Tool } from './define-tool.ts';
import { cutText, preview } from './preview.ts';
import { takeDecisionNote } from './tool-spec.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- tools of every input and output type
export type AnyTool = Tool<any, any>;

/** The text of the arguments as a value, or why it is none. `repaired`: it was not JSON and was mended by guessing. */
export type ParsedArguments = { ok: true; value: unknown; repaired: boolean } | { ok: false; message: string };

export interface PrepareCallInput {
  /** The tools of the task's snapshot. */
  tools: readonly AnyTool[];
  providerCallId: string;
  callId: string;
  name: string;
  /** As the provider sent it; only shown when it can't be read. */
  argumentsText: string;
  parsed: ParsedArguments;
  /** Stated outside the call; the call's own `_decision` wins. */
  confidence: number | null;
  reason: string;
  /** Paths of the argument fields that requirements compare. */
  fieldPaths: readonly string[];
  /** `policy/risk.ts`: the tool's risk, raised by its predicates over the argument fields. */
  riskOf: (tool: AnyTool, argumentFields: Fields) => Risk;
  /** `policy/conditions.ts` */
  fieldsOf: (value: unknown, paths: string[]) => Fields;
}

export interface PreparedCall {
  call: RequestedCall;
  /** What is shown, hashed and run; null when the call can't run. */ canonical: string | null;
}

const MAX_SUBJECT = 60;

/**
 * Turns what a model asked for into a call that can be guarded, shown, hashed and run, or into a problem that it is told about.
 * Never throws for anything that a model can send.
 */
export function prepareCall(request: PrepareCallInput): PreparedCall {
  const { note, rest } = request.parsed.ok ? takeDecisionNote(request.parsed.value) : { note: null, rest: null };
  const base: RequestedCall = {
    callId: request.callId,
    providerCallId: request.providerCallId,
    tool: cutText(request.name, 64),
    argumentsHash: null,
    risk: 'read',
    confidence: note?.confidence ?? request.confidence,
    reason: cutText(note?.reason || request.reason, 1_000),
    fields: {},
    subject: '',
    problem: null,
  };
  const tool = request.tools.find((candidate) => candidate.name === request.name);
  if (!tool) return refused(base, 'unknown_tool', unknownTool(request));
  const known: RequestedCall = { ...base, risk: tool.risk };
  if (!request.parsed.ok) return refused(known, 'invalid_json', invalidJson(request.parsed.message, request.argumentsText));

  const coerced = coerceArguments(tool.input, rest);
  if (!coerced.ok) {
    if (!request.parsed.repaired) return refused(known, coerced.code, coerced.message);
    return refused(
      known,
      'invalid_json',
      `${invalidJson(jsonError(request.argumentsText), request.argumentsText)} Read as far as they could be, they don't fit either: ${coerced.message}`,
    );
  }
  const canonical = canonicalJson(coerced.value);
  const call: RequestedCall = {
    ...known,
    risk: request.riskOf(tool, request.fieldsOf(coerced.value, riskPaths(tool))),
    fields: request.fieldsOf(coerced.value, [...request.fieldPaths]),
    subject: subjectOf(coerced.value),
  };
  if (request.parsed.repaired && call.risk !== 'read') return refused(call, 'repaired_arguments', repairedArguments(canonical));
  return { call: { ...call, argumentsHash: hashText(canonical), ...(request.parsed.repaired ? { repaired: cutText(canonical, 300) } : {}) }, canonical };
}

/** The predicates must see their fields whatever the caller asked for, or a risk would silently stay low. */
function riskPaths(tool: AnyTool): string[] {
  return tool.riskWhen.flatMap(({ when }) => (when.argument === undefined ? [when.field] : [when.field, when.argument]));
}

function refused(call: RequestedCall, code: CallProblemCode, message: string): PreparedCall {
  const problem: CallProblem = { code, message };
  return { call: { ...call, problem }, canonical: null };
}

function unknownTool(request: PrepareCallInput): string {
  const names = request.tools.map((tool) => tool.name).join(', ');
  return `There is no tool ${preview(request.name)}. ${names ? `Available tools: ${names}.` : 'No tools are available.'}`;
}

function invalidJson(problem: string, text: string): string {
  return `The arguments are not valid JSON (${preview(problem, 200)}). They began: ${preview(text, 120)}. Send the call again with one JSON object.`;
}

function jsonError(text: string): string {
  try {
    JSON.parse(text);
    return 'not one JSON object';
  } catch (error) {
    return (error as Error).message;
  }
}

function repairedArguments(canonical: string): string {
  return `The arguments were not valid JSON, and a call that changes something does not run on a guess. They were read as ${preview(canonical, 300)}. If that is meant, send the call again with exactly that as valid JSON.`;
}

/** The first short values, for people: "A001, 299". */
function subjectOf(value: unknown): string {
  const scalars = value !== null && typeof value === 'object' ? Object.values(value) : [];
  const short = scalars.filter((item) => (typeof item === 'string' && item.length > 0 && item.length <= 40) || typeof item === 'number');
  return cutText(short.slice(0, 3).join(', ').replace(/\s+/g, ' '), MAX_SUBJECT);
}
