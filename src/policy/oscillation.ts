/** What oscillation looks at of an evaluated attempt. */
export interface AttemptTrace {
  score: number | null;
  outputHash: string | null;
  fingerprints: string[];
}

/** Points by which a score must move to count as up or down. */
const SWING = 10;

function scoresOf(attempts: AttemptTrace[]): number[] {
  return attempts.map((attempt) => attempt.score).filter((score): score is number => score !== null && Number.isFinite(score));
}

/** How often the score turned from rising to falling, or back. */
function countTurns(scores: number[]): number {
  const signs: number[] = [];
  for (let index = 1; index < scores.length; index += 1) {
    const change = (scores[index] as number) - (scores[index - 1] as number);
    signs.push(Math.abs(change) >= SWING ? Math.sign(change) : 0);
  }
  return signs.filter((sign, index) => index > 0 && sign !== 0 && sign === -(signs[index - 1] as number)).length;
}

/** Whether the score ever turned: a figure of the task, short of a reason to stop. */
export function scoreTurned(attempts: AttemptTrace[]): boolean {
  return countTurns(scoresOf(attempts)) > 0;
}

function swings(attempts: AttemptTrace[]): string | null {
  const scores = scoresOf(attempts).slice(-4);
  return countTurns(scores) >= 2 ? `The score goes up and down (${scores.join(', ')}) instead of rising.` : null;
}

function outputReturns(attempts: AttemptTrace[]): string | null {
  const hashes = attempts.map((attempt) => attempt.outputHash).filter((hash) => hash !== null);
  const last = hashes.at(-1);
  if (last === undefined || hashes.at(-2) === last) return null;
  return hashes.slice(0, -1).includes(last) ? 'An output came back word for word after another had replaced it.' : null;
}

function issuesAlternate(attempts: AttemptTrace[]): string | null {
  const sets = attempts.slice(-3).map((attempt) => [...new Set(attempt.fingerprints)].toSorted());
  const [first, second, third] = sets.map((set) => JSON.stringify(set));
  if (sets.length < 3 || sets.some((set) => set.length === 0) || first !== third || first === second) return null;
  return `Fixing one set of issues brings another back: ${(sets[2] as string[]).join(', ')}.`;
}

/** A sentence when the attempts, in order, go round instead of on; else null. */
export function detectOscillation(attempts: AttemptTrace[]): string | null {
  return outputReturns(attempts) ?? issuesAlternate(attempts) ?? swings(attempts);
}

/**
 * A sentence when an issue stands in two evaluated attempts in a row; else null. Give fingerprints of high and medium
 * issues only: a low one does not end a task.
 */
export function sameIssueTwice(previous: string[], current: string[]): string | null {
  const repeated = [...new Set(current.filter((fingerprint) => previous.includes(fingerprint)))];
  return repeated.length > 0 ? `The correction did not help: ${repeated.join(', ')} stands in two evaluated attempts in a row.` : null;
}
