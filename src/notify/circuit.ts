/** A target that keeps failing is left alone for a while: its notifications wait instead of using up their tries. */
export interface Circuit {
  /** How many may be tried now, ms until the next look when none may. */
  room(now: number): { limit: number; waitMs: number };
  succeeded(): void;
  failed(now: number): void;
}

/** @param limit at once while it works */
export function createCircuit({
  limit,
  failures: most = 5,
  openMs = 30_000,
  maxOpenMs = 600_000,
}: {
  limit: number;
  failures?: number;
  openMs?: number;
  maxOpenMs?: number;
}): Circuit {
  let failures = 0;
  let pauseMs = openMs;
  let openUntil = 0;
  return {
    room: (now) => {
      if (failures < most) return { limit, waitMs: 0 };
      // one tries whether it is back
      return now >= openUntil ? { limit: 1, waitMs: 0 } : { limit: 0, waitMs: openUntil - now };
    },
    succeeded: () => {
      failures = 0;
      pauseMs = openMs;
    },
    failed: (now) => {
      failures += 1;
      if (failures < most) return;
      openUntil = now + pauseMs;
      pauseMs = Math.min(pauseMs * 2, maxOpenMs);
    },
  };
}
