/** A stack that belongs to a command in the foreground: it stops with Ctrl-C, and a server that dies ends the command. */
import { createShutdown, stopOnSignals } from './shutdown.ts';
import { type Stack, type StackOptions, startStack } from './stack.ts';

export interface ForegroundStack {
  stack: Stack;
  /** Stops the stack and gives the signals back. */
  end(): Promise<void>;
}

/**
 * Starts a stack and stops it on SIGINT and SIGTERM, also while it is still starting.
 * @param say prints a line for a person
 */
export async function runStack(options: Omit<StackOptions, 'shutdown'>, say: (line: string) => void): Promise<ForegroundStack> {
  const shutdown = createShutdown();
  const starting = startStack({ ...options, shutdown });
  let interrupted = false;
  const giveSignalsBack = stopOnSignals(async () => {
    interrupted = true;
    await shutdown.stop();
    // A server that is just starting is stopped as soon as it is up: it must not come up after we are gone.
    await starting.catch(() => {});
  }, say);
  try {
    const stack = await starting;
    void stack.failed.then(async (error) => {
      say(error.message);
      await shutdown.stop().catch((stopError: Error) => say(stopError.message));
      process.exit(1);
    });
    return {
      stack,
      async end() {
        await shutdown.stop();
        giveSignalsBack();
      },
    };
  } catch (error) {
    // The signal's handler ends the process; the caller must not report an error meanwhile.
    if (interrupted) await new Promise(() => {});
    giveSignalsBack();
    throw error;
  }
}
