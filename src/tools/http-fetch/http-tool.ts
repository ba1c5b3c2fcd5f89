import type { z } from 'zod';
import { createRedactor } from '../../telemetry/redaction.ts';
import { defineTool, type Tool, ToolDefinitionError, ToolFailure, type ToolContext, type ToolDefinition } from '../define-tool.ts';
import { createGuardedFetch, type FetchPolicy, type FetchRequest, type FetchResponse, type GuardedFetch } from '../http-fetch.ts';
import { cutText } from '../preview.ts';

/** A header whose value is known only while a request is made. */
export interface HttpCredential {
  header: string;
  /** Name of the secret, as `CRM_TOKEN`; never its value. */
  secret: string;
  /** Before the secret, as `Bearer `. Default nothing. */
  prefix?: string;
}

/** Finds a secret by its name; undefined when there is none. */
export type SecretPort = (name: string) => string | undefined;

export interface HttpToolRequest {
  url: string;
  /** Default GET, or POST with `json`. */
  method?: FetchRequest['method'];
  headers?: Record<string, string>;
  json?: unknown;
}

export interface HttpToolDefinition<Input extends z.ZodType, Output extends z.ZodType> extends Omit<ToolDefinition<Input, Output>, 'execute' | 'reconcile'> {
  request: (input: z.output<Input>, context: ToolContext) => HttpToolRequest;
  /** Default: the body as JSON. What it returns is checked by `output`. */
  read?: (response: FetchResponse) => unknown;
  /** Sent to `origins` alone. */
  credentials?: readonly HttpCredential[];
  /** Where it may go, as `https://crm.example`. Needed with credentials; default anywhere public. */
  origins?: readonly string[];
  fetch?: FetchPolicy;
  /** Default: the environment of the worker. */
  secrets?: SecretPort;
}

/** Characters of an error's body that the model and operators are told. */
const MAX_ERROR_CHARS = 300;

/**
 * A tool that is one HTTP request. Its credentials are names; the values are looked up when it runs, and taken out of whatever the service says.
 * Its results are `untrusted` unless told otherwise.
 * @throws {ToolDefinitionError} naming the field and the fix.
 */
export function httpTool<Input extends z.ZodType, Output extends z.ZodType>(definition: HttpToolDefinition<Input, Output>): Tool<z.output<Input>, z.output<Output>> {
  const { request, read = readJson, credentials = [], origins, fetch: policy, secrets = fromEnvironment, ...rest } = definition;
  if (credentials.length > 0 && !origins?.length)
    throw new ToolDefinitionError(
      definition.name,
      'origins',
      'is missing though there are credentials',
      'Name the origins that may be sent them, such as ["https://crm.example"].',
    );
  let made: GuardedFetch | undefined;
  const fetchGuarded = (): GuardedFetch => (made ??= createGuardedFetch({ timeoutMs: definition.timeoutMs, ...policy }));
  return defineTool<Input, Output>({
    untrusted: true,
    ...rest,
    execute: async (input, context) => {
      const values = credentials.map(({ secret }) => secretValue(secrets, secret));
      const { text: clean } = createRedactor(values);
      const wanted = request(input, context);
      checkOrigin(wanted.url, origins);
      const headers = Object.fromEntries(credentials.map(({ header, prefix = '' }, index) => [header.toLowerCase(), prefix + values[index]]));
      const response = await cleanly(clean, () => fetchGuarded()(wanted.url, requestOf(wanted, headers, context)));
      if (response.status >= 400) throw failureOf(definition.risk, wanted.url, { ...response, text: clean(response.text) });
      const text = clean(response.text);
      return read({ ...response, text, body: Buffer.from(text), headers: cleanHeaders(response.headers, clean) }) as z.output<Output>;
    },
  });
}

const fromEnvironment: SecretPort = (name) => process.env[name];

function secretValue(secrets: SecretPort, name: string): string {
  const value = secrets(name);
  if (!value) throw new ToolFailure('configuration', `the secret ${name} is not set. Set it in the environment of the worker`);
  return value;
}

function checkOrigin(url: string, origins: readonly string[] | undefined): void {
  if (!origins) return;
  const origin = URL.canParse(url) ? new URL(url).origin : null;
  if (origin === null || !origins.includes(origin))
    throw new ToolFailure('blocked_url', `${origin ?? 'what is no URL'} is not among the places that this tool may go to: ${origins.join(', ')}`);
}

function requestOf({ method, headers = {}, json }: HttpToolRequest, secret: Record<string, string>, { signal, idempotencyKey }: ToolContext): FetchRequest {
  const verb = method ?? (json === undefined ? 'GET' : 'POST');
  return {
    method: verb,
    headers: {
      accept: 'application/json',
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(verb === 'GET' || verb === 'HEAD' ? {} : { 'idempotency-key': idempotencyKey }),
      ...headers,
      ...secret,
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    secretHeaders: Object.keys(secret),
    signal,
  };
}

/** Whatever is thrown says nothing of a secret; what a tool failure and a network's error mean stays apart. */
async function cleanly<Result>(clean: (text: string) => string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolFailure) throw new ToolFailure(error.code, clean(error.message), { retryable: error.retryable, partial: error.partial });
    // oxlint-disable-next-line preserve-caught-error -- the cause may hold the request with its headers
    throw new Error(clean(error instanceof Error ? `${error.message || error.name}` : String(error)));
  }
}

/** A server's error proves nothing about an effect, so only a read's, and a client's error, is a failure that is understood. */
function failureOf(risk: string, url: string, { status, text }: FetchResponse): Error {
  const { origin, pathname } = new URL(url);
  const message = `HTTP ${status} from ${origin}${pathname}: ${cutText(text.trim(), MAX_ERROR_CHARS) || 'no text'}`;
  const isOpen = status === 408 || status >= 500;
  return isOpen && risk !== 'read' ? new Error(message) : new ToolFailure('http', message, { retryable: isOpen || status === 429 });
}

function cleanHeaders(headers: Record<string, string>, clean: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, clean(value)]));
}

function readJson({ text }: FetchResponse): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ToolFailure('contract_drift', `the service answered with what is no JSON: ${cutText(text.trim(), MAX_ERROR_CHARS)}`);
  }
}
