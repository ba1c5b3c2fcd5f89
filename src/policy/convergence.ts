/** Points below the best at which a score no longer counts as the same. */
const SWING = 10;

/**
 * The attempt at which the score reached its best and after which it stayed near it (less than 10 points below); null when it fell again, or when
 * nothing was scored. A figure of the task: how many rounds were needed, and whether more were of any use.
 */
export function convergenceRound(attempts: readonly { attempt: number; score: number | null }[]): number | null {
  const scored = attempts.flatMap(({ attempt, score }) => (score === null || !Number.isFinite(score) ? [] : [{ attempt, score }]));
  if (scored.length === 0) return null;
  const best = Math.max(...scored.map(({ score }) => score));
  const reached = scored.findIndex(({ score }) => score === best);
  return scored.slice(reached).every(({ score }) => best - score < SWING) ? scored[reached]!.attempt : null;
}
