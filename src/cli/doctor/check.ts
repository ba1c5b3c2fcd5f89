/** One thing that `doctor` has looked at. */
export interface Check {
  name: string;
  /** `warning`: works, but not as one would want it. `skipped`: could not be looked at. */
  status: 'ok' | 'warning' | 'failed' | 'skipped';
  detail: string;
  /** What to do; null when there is nothing to do. */
  fix: string | null;
}

export const ok = (name: string, detail: string): Check => ({ name, status: 'ok', detail, fix: null });
export const warning = (name: string, detail: string, fix: string): Check => ({ name, status: 'warning', detail, fix });
export const failed = (name: string, detail: string, fix: string): Check => ({ name, status: 'failed', detail, fix });
export const skipped = (name: string, detail: string): Check => ({ name, status: 'skipped', detail, fix: null });

/** A look that must not take the others with it, nor last for ever. */
export async function looked(name: string, fix: string, look: () => Promise<Check | Check[]>): Promise<Check[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${LOOK_MS / 1_000} s`)), LOOK_MS);
  });
  try {
    return [await Promise.race([look(), late])].flat();
  } catch (error) {
    return [failed(name, messageOf(error), fix)];
  } finally {
    clearTimeout(timer);
  }
}

const LOOK_MS = 15_000;

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || (error as NodeJS.ErrnoException).code || (error instanceof AggregateError ? error.errors.map(messageOf).join('; ') : error.name);
}
