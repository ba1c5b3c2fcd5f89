import type { Outcome } from '../contracts/outcome.ts';
import { count, duration, scores, usd } from './text/format.ts';
import { lines, type Paint, type Part, type Safe, safe } from './text/safe.ts';

export function paintOutcome(paint: Paint, outcome: string): Safe {
  if (outcome === 'passed') return paint.green(outcome);
  return outcome === 'failed' || outcome === 'rejected' ? paint.red(outcome) : paint.yellow(outcome);
}

/** How a task ended, in figures. */
function figures(outcome: Outcome): Safe {
  const tokens = outcome.usage.inputTokens + outcome.usage.outputTokens;
  const waited = outcome.waitedMs > 0 ? ` + ${duration(outcome.waitedMs)} waiting for people` : '';
  const process = outcome.oscillated
    ? ' (it went up and down)'
    : outcome.attempts.length > 1 && outcome.convergenceRound
      ? ` (converged in round ${outcome.convergenceRound})`
      : '';
  return safe`score ${scores(outcome.attempts.map((attempt) => attempt.score))}${process} · ${count(outcome.attempts.length, 'attempt')} · ${count(outcome.turns, 'turn')} · ${count(outcome.toolCalls, 'tool call')} · ${count(tokens, 'token')}${outcome.usage.estimated ? ' (estimated)' : ''} · ${usd(outcome.usage.costMicros)} · ${duration(outcome.durationMs)}${waited}`;
}

/** Outcome, reason, what the user is told, figures, link. */
export function outcomeLines(paint: Paint, outcome: Outcome, url: string | null): Safe[] {
  const mark: Part = outcome.outcome === 'passed' ? paint.green('✓') : paint.yellow('■');
  return [
    safe`${mark} ${paintOutcome(paint, outcome.outcome)} (${outcome.reason}) — ${outcome.explanation}`,
    ...lines(outcome.text, '  │ '),
    safe`  ${figures(outcome)}`,
    ...(url === null ? [] : [safe`  ${paint.dim(url)}`]),
  ];
}
