/** Stops things in the reverse order of their start, once; and does so on Ctrl-C and SIGTERM. */

export interface Shutdown {
  /** True once `stop` was called. */
  readonly stopping: boolean;
  /** Adds what must be stopped. Added while it stops already: stopped at once. */
  add(name: string, stop: () => Promise<void>): Promise<void>;
  /** Idempotent: every caller waits for the same stop. @throws {AggregateError} after all were tried */
  stop(): Promise<void>;
}

export function createShutdown(): Shutdown {
  const entries: { name: string; stop: () => Promise<void> }[] = [];
  let stopped: Promise<void> | null = null;

  const stopAll = async (): Promise<void> => {
    const errors: Error[] = [];
    for (let entry = entries.pop(); entry; entry = entries.pop()) {
      try {
        await entry.stop();
      } catch (error) {
        errors.push(new Error(`${entry.name} did not stop: ${(error as Error).message}`, { cause: error }));
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, errors.map((error) => error.message).join('; '));
  };

  return {
    get stopping() {
      return stopped !== null;
    },
    async add(name, stop) {
      if (stopped) return stop();
      entries.push({ name, stop });
    },
    stop: () => (stopped ??= stopAll()),
  };
}

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * The first Ctrl-C or SIGTERM stops cleanly and ends the process; a second one ends it at once (servers we started are then
 * ended by their guards). @returns removes the handlers
 */
export function stopOnSignals(stop: () => Promise<void>, say: (text: string) => void): () => void {
  let received = 0;
  const onSignal = (signal: keyof typeof SIGNALS): void => {
    if (++received > 1) process.exit(SIGNALS[signal]);
    say('Stopping … (Ctrl-C again to force)');
    stop().then(
      () => process.exit(SIGNALS[signal]),
      (error: unknown) => {
        say((error as Error).message);
        process.exit(1);
      },
    );
  };
  const names = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[];
  for (const name of names) process.on(name, onSignal);
  return () => {
    for (const name of names) process.off(name, onSignal);
  };
}
