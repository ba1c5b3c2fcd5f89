/** Values given on the command line. */
import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import type { AnyAgent } from '../agents/define-agent.ts';
import { ROLES } from '../contracts/reasons.ts';
import { limitsSchema, type Limits } from '../contracts/limits.ts';
import { UsageError } from './errors.ts';

/** @throws {UsageError} naming the option and where the JSON breaks */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new UsageError(`${what} is not JSON: ${(error as Error).message}`);
  }
}

export async function readJsonFile(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} can't be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`);
  });
  return parseJson(text, path);
}

/** `name=number` pairs. @throws {UsageError} */
export function parsePairs(pairs: readonly string[]): Record<string, number | boolean> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      const value = at < 0 ? '' : pair.slice(at + 1).trim();
      if (at < 1 || value === '') throw new UsageError(`"${pair}" is not name=value, such as maxAttempts=5.`);
      return [pair.slice(0, at).trim(), readScalar(pair, value)];
    }),
  );
}

function readScalar(pair: string, value: string): number | boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  const number = Number(value.replaceAll('_', ''));
  if (Number.isNaN(number)) throw new UsageError(`"${pair}": the value must be a number, true or false.`);
  return number;
}

/** @throws {UsageError} naming each limit that is unknown or out of range */
export function parseLimits(pairs: readonly string[]): Partial<Limits> {
  const parsed = limitsSchema.partial().safeParse(parsePairs(pairs));
  if (!parsed.success) throw new UsageError(`--limit: ${oneLineOf(parsed.error)}. Limits: ${Object.keys(limitsSchema.shape).join(', ')}.`);
  return parsed.data;
}

/** The task's input: JSON, or plain text for agents whose input has a `message`. @throws {UsageError} when it does not fit the agent. */
export function checkInput(agent: AnyAgent, input: unknown): unknown {
  const parsed = agent.input.safeParse(input);
  if (!parsed.success) throw new UsageError(`The input does not fit agent "${agent.name}": ${oneLineOf(parsed.error)}.`);
  return input;
}

/** Roles and names of groups, separated by commas. @throws {UsageError} */
export function roleList(text: string): string[] {
  const roles = [...new Set(text.split(',').map((role) => role.trim()))].filter((role) => role !== '');
  const unfit = roles.find((role) => role.length > 200);
  if (roles.length === 0 || unfit) throw new UsageError(`Roles: name some, separated by commas: ${ROLES.join(', ')}, or a group of your own.`);
  return roles;
}

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new UsageError(`"${text}" is not a whole number from 1.`);
  return value;
}

function oneLineOf(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''}${issue.message}`)
    .join('; ');
}
