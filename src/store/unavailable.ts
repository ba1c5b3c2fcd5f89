/** System errors of a server that is away, and what PostgreSQL says when it starts, stops, fails over or has no connection free. */
const AWAY: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  // somebody keeps a table locked
  '55P03',
]);

/** True when an error says that the store could not be reached, or went away in the middle: trying again later may work. */
export function isStoreUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (AWAY.has(code) || code.startsWith('08'))) return true;
  // pg's own errors have no code
  return /^Connection terminated|^timeout exceeded when trying to connect|^Client has encountered a connection error|^Client was closed/.test(error.message);
}
