import type { Principal } from '../../contracts/identity.ts';
import { ProblemError } from '../http/problem.ts';

/** A person with a few browsers and a few tabs in each. */
const PER_PRINCIPAL = 32;
const RETRY_S = 5;

/** How many streams each principal has open in this process. */
export interface OpenStreams {
  /** @returns what counts its end. @throws {ProblemError} 429 */
  open(principal: Principal): () => void;
}

export function createOpenStreams(perPrincipal = PER_PRINCIPAL): OpenStreams {
  const open = new Map<string, number>();
  return {
    open({ tenant, subject }) {
      const key = JSON.stringify([tenant, subject]);
      const count = open.get(key) ?? 0;
      if (count >= perPrincipal)
        throw new ProblemError(429, 'too_many_streams', `${subject} has ${count} streams open; at most ${perPrincipal} are. Close one first.`, { retryAfter: RETRY_S });
      open.set(key, count + 1);
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        const left = (open.get(key) ?? 1) - 1;
        if (left > 0) open.set(key, left);
        else open.delete(key);
      };
    },
  };
}
