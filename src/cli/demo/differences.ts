import { isDeepStrictEqual } from 'node:util';
import type { AgentCase } from '../../agents/case.ts';
import type { Outcome } from '../../contracts/outcome.ts';

/**
 * What is not as the case expects; empty when all is. A real model words things in its own way and may need more attempts, so that of
 * it only outcome and reason are compared.
 */
export function differencesOf({ expected }: AgentCase, outcome: Outcome, scripted: boolean): string[] {
  const found: string[] = [];
  if (outcome.outcome !== expected.outcome) found.push(`outcome ${outcome.outcome} instead of ${expected.outcome}`);
  if (outcome.reason !== expected.reason) found.push(`reason ${outcome.reason} instead of ${expected.reason}`);
  if (!scripted) return found;
  const output = outcome.output !== null && typeof outcome.output === 'object' ? (outcome.output as Record<string, unknown>) : {};
  for (const [field, value] of Object.entries(expected.output ?? {})) {
    if (!isDeepStrictEqual(output[field], value)) found.push(`output.${field} ${JSON.stringify(output[field]) ?? 'missing'} instead of ${JSON.stringify(value)}`);
  }
  for (const text of expected.textIncludes ?? []) if (!outcome.text.includes(text)) found.push(`the text does not say "${text}"`);
  if (expected.attempts !== undefined && outcome.attempts.length !== expected.attempts) found.push(`${outcome.attempts.length} attempts instead of ${expected.attempts}`);
  return found;
}
