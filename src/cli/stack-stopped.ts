/** Notices that the stack a command talks to was stopped under it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isUnreachable } from '../client/unreachable.ts';
import type { Attachment } from '../dev/attach.ts';
import { readStack } from '../dev/stack-file.ts';
import { isStoreUnavailable } from '../store/unavailable.ts';

class StackStoppedError extends Error {
  override readonly name = 'StackStoppedError';
}

const LOOK_MS = 100;

/** Servers that the environment names are not ours to watch: of them nothing is said. */
export function createStillThere(home: string, { temporalTarget }: Pick<Attachment, 'temporalTarget'>): (withinMs?: number) => Promise<void> {
  return async (withinMs = 0) => {
    if (temporalTarget.external) return;
    const deadline = Date.now() + withinMs;
    do {
      const running = await readStack(home);
      if (running?.temporal.address !== temporalTarget.address) throw new StackStoppedError(`The stack in ${home} was stopped. Its tasks go on at the next \`npm run dev\`.`);
      if (Date.now() < deadline) await sleep(LOOK_MS);
    } while (Date.now() < deadline);
  };
}

/** Whether an error says that a server went away, and nothing about what was asked. */
export function isConnectionLost(error: unknown): boolean {
  if (isUnreachable(error) || isStoreUnavailable(error)) return true;
  return error instanceof Error && error.cause !== undefined && isConnectionLost(error.cause);
}
