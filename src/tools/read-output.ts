import { z } from 'zod';
import type { CallProblemCode, FailureStage } from '../contracts/reasons.ts';
import { CanonicalJsonError, canonicalJson } from './canonical-json.ts';
import type { Tool } from './define-tool.ts';
import { findHttpFailure } from './http-failure.ts';
import { pathText, type JsonSchema } from './json-schema.ts';
import { preview } from './preview.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- tools of every input and output type
type AnyTool = Tool<any, any>;

export type ReadOutput =
  | { ok: true; /** JSON text. */ text: string; value: unknown }
  | { ok: false; code: CallProblemCode; stage: FailureStage; reason: string; /** Null when it was no HTTP error. */ httpStatus: number | null };

/** UTF-8 bytes of one result that are stored, whole. */
const MAX_RESULT_BYTES = 16 * 1024 * 1024;

/** Checks what a tool returned against what it promised, and makes it JSON text. Never throws. */
export function readOutput(tool: AnyTool, output: unknown): ReadOutput {
  try {
    const http = findHttpFailure(output, outputSchema(tool));
    if (http) return failed('http', 'tool_call', `${tool.name} answered with an HTTP error${http.status ? ` ${http.status}` : ''}: ${http.text || 'no text'}`, http.status);
    return fitOutput(tool, output);
  } catch (error) {
    // a getter or a proxy that throws, or an output schema with a refinement that does
    return failed('contract_drift', 'external_change', `${tool.name} returned something that can't be read: ${preview(String(error), 200)}`);
  }
}

function fitOutput(tool: AnyTool, output: unknown): ReadOutput {
  const parsed = tool.output.safeParse(output);
  if (!parsed.success) {
    const places = parsed.error.issues.slice(0, 5).map((issue: z.core.$ZodIssue) => `${issue.path.length > 0 ? pathText(issue.path) : '(result)'}: ${issue.message}`);
    return failed('contract_drift', 'external_change', `${tool.name} ${tool.version} returned what its output schema does not allow. ${places.join('; ')}`);
  }
  const value = withoutUndefined(parsed.data, new Set());
  try {
    canonicalJson(value);
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    return failed('contract_drift', 'external_change', `${tool.name} ${tool.version} returned what JSON can't carry. ${error.path || '(result)'}: ${error.problem}`);
  }
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text, 'utf8');
  if (bytes > MAX_RESULT_BYTES) {
    return failed(
      'result_too_large',
      'result_parsing',
      `${tool.name} returned ${bytes} bytes; at most ${MAX_RESULT_BYTES} are kept. It ran, so ask it for less rather than again.`,
    );
  }
  return { ok: true, text, value };
}

function failed(code: CallProblemCode, stage: FailureStage, reason: string, httpStatus: number | null = null): ReadOutput {
  return { ok: false, code, stage, reason, httpStatus };
}

/** Undefined properties are absent ones, as in JSON; an undefined item or result stays, and is refused. */
function withoutUndefined(value: unknown, above: Set<object>): unknown {
  if (value === null || typeof value !== 'object' || above.has(value)) return value;
  above.add(value);
  const result = Array.isArray(value) ? value.map((item) => withoutUndefined(item, above)) : plainCopy(value, above);
  above.delete(value);
  return result;
}

function plainCopy(value: object, above: Set<object>): unknown {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const kept = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutUndefined(item, above)]));
}

const schemas = new WeakMap<z.ZodType, JsonSchema | null>();

/** Null when the output's schema can't be written as JSON schema, which is allowed. */
function outputSchema(tool: AnyTool): JsonSchema | null {
  const known = schemas.get(tool.output);
  if (known !== undefined) return known;
  let made: JsonSchema | null;
  try {
    made = z.toJSONSchema(tool.output, { io: 'output', unrepresentable: 'any' }) as JsonSchema;
  } catch {
    made = null;
  }
  schemas.set(tool.output, made);
  return made;
}
