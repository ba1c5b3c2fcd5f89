/** Verified attempts of one's own as training data, without anybody's personal data, and only where consent is on record. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { AuditActor } from '../../store/secret.ts';
import type { Store } from '../../store/store.ts';
import { listTrainingAttempts, type TrainingAttempt } from '../../store/training-attempts.ts';
import { findPersonal } from '../personal-data.ts';
import { createReplacer, type Replacer } from '../replace-personal-data.ts';
import { chatLineSchema, dpoLineSchema } from './formats.ts';
import { readTexts, type TrainingTexts } from './training-texts.ts';

export const FINE_TUNE_FORMATS = ['chat', 'dpo'] as const;
export type FineTuneFormat = (typeof FINE_TUNE_FORMATS)[number];

/** Nobody allowed it. */
export class ConsentMissingError extends Error {
  override readonly name = 'ConsentMissingError';
}

export type LeftOut =
  | 'not_passed' // it passed no evaluation, or another output was taken
  | 'not_verified' // no person and no business outcome confirmed it
  | 'contradicted' // somebody, or what became of it, says that it was wrong
  | 'no_correction' // dpo: nothing was wrong before it
  | 'no_texts' // its conversation or output is not kept
  | 'invalid' // it does not fit the format
  | 'personal_data'; // something personal is still in it

export interface FineTuneExport {
  /** JSON lines. */
  lines: string[];
  leftOut: Partial<Record<LeftOut, number>>;
}

/**
 * One line for each attempt that passed, was taken, and was confirmed by people or the business (chat), or for each attempt that failed before such
 * a one of the same task (dpo). Each line fits its format's schema. The export is a row of the audit.
 * @throws {ConsentMissingError} when the tenant's consent to `fine_tuning` is not on record
 */
export async function exportFineTuning(
  store: Store,
  { tenant, agent, format, since, actor }: { tenant: string; agent: string; format: FineTuneFormat; since: Date; actor: AuditActor },
): Promise<FineTuneExport> {
  if (!(await store.consents.current(tenant, 'fine_tuning')))
    throw new ConsentMissingError(`Tenant ${tenant} has not allowed fine-tuning with its data. Whoever may, grants it: consent grant --tenant ${tenant} --purpose fine_tuning.`);
  const result: FineTuneExport = { lines: [], leftOut: {} };
  const leave = (why: LeftOut): void => {
    result.leftOut[why] = (result.leftOut[why] ?? 0) + 1;
  };
  const byTask = Map.groupBy(await listTrainingAttempts(store.database, { tenant, agent, since }), ({ taskId }) => taskId);
  for (const attempts of byTask.values()) {
    const good = attempts.find((attempt) => attempt.isBest && attempt.passed);
    const refused = good === undefined ? 'not_passed' : good.contradicted ? 'contradicted' : good.confirmed ? null : 'not_verified';
    if (!good || refused !== null) {
      leave(refused ?? 'not_passed');
      continue;
    }
    for (const line of format === 'chat' ? [await chatLine(store, good)] : await dpoLines(store, good, attempts)) {
      if (typeof line === 'string') leave(line);
      else result.lines.push(line.text);
    }
  }
  await tell(store, { tenant, agent, format, actor }, result);
  return result;
}

/** Data that leaves is written down before it does. */
async function tell(
  { audit }: Store,
  { tenant, agent, format, actor }: { tenant: string; agent: string; format: FineTuneFormat; actor: AuditActor },
  { lines, leftOut }: FineTuneExport,
): Promise<void> {
  const key = `training_data.exported/${agent}/${format}/${randomUUID()}`;
  await audit.append({ tenant, key, actor: actor.by, actorVia: actor.via, action: 'training_data.exported', target: agent, after: { format, lines: lines.length, leftOut } });
}

type Line = LeftOut | { text: string };

async function chatLine(store: Store, good: TrainingAttempt): Promise<Line> {
  const texts = await readTexts(store, good);
  if (!texts) return 'no_texts';
  const replacer = replacerOf(texts, [texts.answer]);
  return checked(chatLineSchema, { messages: [...texts.messages, { role: 'assistant', content: texts.answer }], ...toolsOf(texts) }, replacer);
}

/** The prompt of the attempt that failed, what it should have answered, and what it did. */
async function dpoLines(store: Store, good: TrainingAttempt, attempts: TrainingAttempt[]): Promise<Line[]> {
  const failed = attempts.filter((attempt) => attempt.attempt < good.attempt && !attempt.passed && attempt.outputHash !== null && attempt.outputHash !== good.outputHash);
  if (failed.length === 0) return ['no_correction'];
  const right = await readTexts(store, good);
  const lines: Line[] = [];
  for (const attempt of failed) {
    const wrong = await readTexts(store, attempt);
    if (!right || !wrong) {
      lines.push('no_texts');
      continue;
    }
    const line = {
      input: { messages: wrong.messages.map(withoutWeight), ...toolsOf(wrong) },
      preferred_output: [{ role: 'assistant', content: right.answer }],
      non_preferred_output: [{ role: 'assistant', content: wrong.answer }],
    };
    lines.push(checked(dpoLineSchema, line, replacerOf(wrong, [right.answer, wrong.answer])));
  }
  return lines;
}

function withoutWeight(message: TrainingTexts['messages'][number]): object {
  return Object.fromEntries(Object.entries(message).filter(([name]) => name !== 'weight'));
}

function toolsOf({ tools }: TrainingTexts): { tools?: TrainingTexts['tools'] } {
  return tools.length > 0 ? { tools } : {};
}

/** Fields of JSON inside of texts say what is personal, as the input's do. */
function replacerOf({ messages, input }: TrainingTexts, answers: string[]): Replacer {
  const texts = messages.flatMap((message) => [message.content ?? '', ...('tool_calls' in message ? (message.tool_calls ?? []).map((call) => call.function.arguments) : [])]);
  return createReplacer([input, ...[...texts, ...answers].flatMap(jsonIn), texts, answers]);
}

function jsonIn(text: string): unknown[] {
  const candidate = /[{[][\s\S]*[}\]]/.exec(text)?.[0];
  if (candidate === undefined) return [];
  try {
    return [JSON.parse(candidate) as unknown];
  } catch {
    return [];
  }
}

const REPLACED = /^(?:person\d+@example\.com)$/i;

/** Before it is known to fit its format. */
interface Unchecked {
  tools?: unknown;
  input?: { tools?: unknown; messages: unknown };
  [field: string]: unknown;
}

/** Descriptions of tools are our own words: they stay as they are. */
function checked(schema: z.ZodType, line: Unchecked, replacer: Replacer): Line {
  const replaced = replacer.value(line);
  if (line.tools !== undefined) replaced.tools = line.tools;
  if (replaced.input && line.input?.tools !== undefined) replaced.input.tools = line.input.tools;
  const mails = findPersonal({ ...replaced, tools: null }).filter(({ kind, text }) => kind === 'mail' && !REPLACED.test(text));
  if (mails.length > 0) return 'personal_data';
  const parsed = schema.safeParse(replaced);
  return parsed.success ? { text: JSON.stringify(parsed.data) } : 'invalid';
}
