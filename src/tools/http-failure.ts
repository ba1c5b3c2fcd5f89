import type { JsonSchema } from './json-schema.ts';
import { preview } from './preview.ts';

/** An HTTP error that a tool returned as if it were its result. `status` 0: an error page without one. */
export interface HttpFailure {
  status: number;
  text: string;
}

const TELLTALES = ['error', 'errors', 'message', 'title', 'detail', 'statusText', 'url'];

/**
 * Finds an HTTP error in an output: a response object whose `ok` is false, an error body (`{status: 503, message}`, `{error: …}`), or an HTML page.
 * Properties that the tool's output schema declares are its own and tell nothing.
 */
export function findHttpFailure(output: unknown, schema: JsonSchema | null): HttpFailure | null {
  if (typeof output === 'string') return /^\s*<(!doctype html|html[\s>])/i.test(output) ? { status: 0, text: 'an HTML page' } : null;
  if (output === null || typeof output !== 'object' || Array.isArray(output)) return null;
  const body = output as Record<string, unknown>;
  if (body.ok === false && isErrorStatus(body.status) && !declares(schema, 'ok')) return { status: body.status, text: String(body.statusText ?? '') };
  const status = [body.status, body.statusCode, body.code].find(isErrorStatus);
  const telling = TELLTALES.filter((key) => key in body && !declares(schema, key));
  if (status !== undefined && telling.length > 0) return { status, text: say(body, telling) };
  const isBareError = 'error' in body && !!body.error && !declares(schema, 'error') && Object.keys(body).length <= 4;
  return isBareError ? { status: nestedStatus(body.error), text: say(body, ['error']) } : null;
}

function isErrorStatus(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 400 && value <= 599;
}

function declares(schema: JsonSchema | null, key: string): boolean {
  return Object.hasOwn(schema?.properties ?? {}, key);
}

function nestedStatus(error: unknown): number {
  if (error === null || typeof error !== 'object') return 0;
  const { status, statusCode, code } = error as Record<string, unknown>;
  return [status, statusCode, code].find(isErrorStatus) ?? 0;
}

function say(body: Record<string, unknown>, keys: string[]): string {
  return keys.map((key) => preview(body[key], 160)).join(', ');
}
