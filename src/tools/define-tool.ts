import type { Kysely } from 'kysely';
import { z } from 'zod';
import { RISKS, type Risk } from '../contracts/reasons.ts';
import type { SandboxPort } from '../contracts/sandbox.ts';
import { conditionSchema, requirementSchema, type Condition, type Requirement } from '../contracts/tool-call.ts';

/** What a running tool is given. */
export interface ToolContext {
  taskId: string;
  callId: string;
  /** The same on every retry of this call, different for every other: pass it to whatever has a side effect. */
  idempotencyKey: string;
  /** Aborts on cancellation and on the tool's timeout: pass it to fetch and to queries. */
  signal: AbortSignal;
  /** The stack's Postgres. A tool names its own tables: `context.database.withTables<{ orders: … }>()`. */
  database: Kysely<unknown>;
  /** The task's input, as the agent's schema parsed it. */
  input: unknown;
  /** Runs code that nobody trusts. */
  sandbox: SandboxPort;
  /** Keeps what happened as an event of the task, in the log and as a row. */
  emit: (type: string, detail: Record<string, unknown>) => Promise<void>;
}

/** A tool's answer to "did this call's effect happen?" after a crash in the middle. */
export type Reconciliation<Output> = { happened: true; output: Output } | { happened: false };

export interface Tool<Input = unknown, Output = unknown> {
  name: string;
  version: string;
  /** ISO date */
  releasedAt: string;
  description: string;
  input: z.ZodType<Input>;
  output: z.ZodType<Output>;
  risk: Risk;
  /** Raise the risk for some arguments: by amount or field. */
  riskWhen: { when: Condition; risk: Risk }[];
  /** ms */
  timeoutMs: number;
  /** Prerequisites as data: other tools' latest results and their fields. */
  requires: Requirement[];
  /** True: running twice with one idempotency key has one effect. */
  idempotent: boolean;
  polling: boolean;
  /** What it returns was written by who knows whom: a page, a mail. It is never learned from word for word. */
  untrusted: boolean;
  reconcile?: (input: Input, context: ToolContext) => Promise<Reconciliation<Output>>;
  simulate?: (input: Input, recorded: RecordedCall[]) => Output | undefined;
  execute: (input: Input, context: ToolContext) => Promise<Output>;
}

/** A call of a case's cassette, as it was recorded. */
export interface RecordedCall {
  tool: string;
  /** As the loop canonicalised them. */
  arguments: unknown;
  status: string;
  /** Null: it failed. */
  result: unknown;
}

/** A failure that the tool understands: told to the model as `{code, reason}`. Throw it from `execute`. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly code: string;
  readonly retryable: boolean;
  /** `partial`: some of the effect happened; say in the message what did. */
  readonly partial: boolean;
  constructor(code: string, message: string, options: { retryable?: boolean; partial?: boolean } = {}) {
    super(message);
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.partial = options.partial ?? false;
  }
}

/** A tool's definition is wrong; thrown where it is defined, so a worker with it never starts. */
export class ToolDefinitionError extends Error {
  override readonly name = 'ToolDefinitionError';
  readonly tool: string;
  /** The field of the definition. */
  readonly field: string;
  constructor(tool: string, field: string, problem: string, fix: string) {
    super(`tool ${tool}: ${field}: ${problem}. ${fix}`);
    this.tool = tool;
    this.field = field;
  }
}

/** The longest a tool may take, ms: longer work belongs in a task of its own. */
const MAX_TOOL_TIMEOUT_MS = 60_000;

/** The property that every tool sent to a model has besides its own: why it is called, and how sure the model is. */
export const DECISION_PROPERTY = '_decision';

/** What the author of a tool writes; the rest is filled in by {@link defineTool}. */
export interface ToolDefinition<InputSchema extends z.ZodType, OutputSchema extends z.ZodType> {
  /** `^[a-z][a-z0-9_]{0,63}$` */
  name: string;
  version: string;
  /** ISO date */
  releasedAt: string;
  /** For the model: what it does, when to call it, what it needs. */
  description: string;
  /** A `z.object` or `z.strictObject` of plain JSON types. */
  input: InputSchema;
  /** What a good result looks like; anything else is `contract_drift`. */
  output: OutputSchema;
  risk: Risk;
  /** May only raise the risk. Default none. */
  riskWhen?: { when: Condition; risk: Risk }[];
  /** ms, 1..60,000. */
  timeoutMs: number;
  /** Default none. */
  requires?: z.input<typeof requirementSchema>[];
  /**
   * Default: true for `read`, else false. A write that is neither idempotent nor has `reconcile` is allowed, but after a crash or a timeout in
   * the middle nobody can say whether its effect happened: the call ends `indeterminate` and a person decides.
   */
  idempotent?: boolean;
  /** May be called again with the same arguments. Default false. */
  polling?: boolean;
  /** True where strangers write what it returns. Default false. */
  untrusted?: boolean;
  reconcile?: (input: z.output<InputSchema>, context: ToolContext) => Promise<Reconciliation<z.output<OutputSchema>>>;
  /**
   * Of reads: what the tool would have answered to a call that an experiment's case does not hold, from the arguments and the recorded calls alone.
   * Undefined: it can't say, so the case is left out. May throw {@link ToolFailure}.
   */
  simulate?: (input: z.output<InputSchema>, recorded: RecordedCall[]) => z.output<OutputSchema> | undefined;
  execute: (input: z.output<InputSchema>, context: ToolContext) => Promise<z.output<OutputSchema>>;
}

/**
 * Checks a tool's definition and fills in its defaults. `execute` is typed by the schemas.
 * @throws {ToolDefinitionError} naming the field and the fix.
 */
export function defineTool<InputSchema extends z.ZodType, OutputSchema extends z.ZodType>(
  definition: ToolDefinition<InputSchema, OutputSchema>,
): Tool<z.output<InputSchema>, z.output<OutputSchema>> {
  const refuse = (field: string, problem: string, fix: string): never => {
    throw new ToolDefinitionError(String(definition.name), field, problem, fix);
  };
  checkFacts(definition, refuse);
  checkInput(definition.input, refuse);
  return {
    ...definition,
    // a ZodType is not assignable to the ZodType of its own output while that is a type parameter
    input: definition.input as unknown as z.ZodType<z.output<InputSchema>>,
    output: definition.output as unknown as z.ZodType<z.output<OutputSchema>>,
    riskWhen: definition.riskWhen ?? [],
    requires: (definition.requires ?? []).map((requirement) => requirementSchema.parse(requirement)),
    idempotent: definition.idempotent ?? definition.risk === 'read',
    polling: definition.polling ?? false,
    untrusted: definition.untrusted ?? false,
  };
}

type Refuse = (field: string, problem: string, fix: string) => never;

function checkFacts(definition: ToolDefinition<z.ZodType, z.ZodType>, refuse: Refuse): void {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(definition.name)) refuse('name', 'is not a tool name', 'Use a lower-case letter, then at most 63 of a-z, 0-9 and _.');
  if (!definition.version?.trim()) refuse('version', 'is empty', 'Give a version such as "1.0.0".');
  if (!z.iso.date().safeParse(definition.releasedAt).success) refuse('releasedAt', 'is not a date', 'Write an ISO date such as "2026-01-31".');
  if (!definition.description?.trim()) refuse('description', 'is empty', 'Say what the tool does and when to call it.');
  if (!RISKS.includes(definition.risk)) refuse('risk', `is ${String(definition.risk)}`, `Use one of ${RISKS.join(', ')}.`);
  const { timeoutMs } = definition;
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1)
    refuse('timeoutMs', 'is missing or not a positive whole number', 'Give the longest time one call may take, in ms, such as 5_000.');
  if (timeoutMs > MAX_TOOL_TIMEOUT_MS)
    refuse('timeoutMs', `${timeoutMs} ms is over ${MAX_TOOL_TIMEOUT_MS} ms`, 'Split the work, or start it with one tool and poll it with another (`polling: true`).');
  if (typeof definition.execute !== 'function') refuse('execute', 'is not a function', 'Give an async function of (input, context).');
  if (definition.simulate && definition.risk !== 'read')
    refuse('simulate', `is given for a ${definition.risk}`, 'Leave it out: an effect that did not happen must not look as if it had.');
  for (const requirement of definition.requires ?? []) {
    if (!requirementSchema.safeParse(requirement).success) refuse('requires', 'is not a requirement', 'Write {tool, where: [{field, op, value | argument}], because}.');
  }
  for (const raise of definition.riskWhen ?? []) {
    if (!conditionSchema.safeParse(raise.when).success) refuse('riskWhen', 'is not a condition', 'Write {when: {field, op, value}, risk}.');
    if (RISKS.indexOf(raise.risk) <= RISKS.indexOf(definition.risk))
      refuse('riskWhen', `${raise.risk} does not raise ${definition.risk}`, 'Declare the lowest risk as `risk` and raise it here.');
  }
}

/** The bytes that an approver sees are the bytes that run, so the parsed arguments must be JSON again: no transforms, dates or bigints. */
function checkInput(input: z.ZodType, refuse: Refuse): void {
  let schema: z.core.JSONSchema.BaseSchema;
  try {
    schema = z.toJSONSchema(input, { io: 'input' });
    z.toJSONSchema(input, { io: 'output' });
  } catch (error) {
    return refuse('input', `has no JSON schema (${(error as Error).message})`, 'Use plain JSON types and convert inside `execute`.');
  }
  if (schema.type !== 'object') refuse('input', 'is not an object schema', 'Wrap the arguments in z.strictObject({...}).');
  if (Object.hasOwn(schema.properties ?? {}, DECISION_PROPERTY)) refuse('input', `has a property ${DECISION_PROPERTY}`, 'That name is reserved; rename it.');
}
