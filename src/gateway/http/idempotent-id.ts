import { randomUUID } from 'node:crypto';
import { sha256 } from '../../store/text.ts';

/** An id that is the same for the same Idempotency-Key of the same owner (a subject, and what the request is about), and another each time without one. */
export function idempotentId(key: string | undefined, ...owner: string[]): string {
  return key === undefined ? randomUUID() : sha256(JSON.stringify([...owner, key])).slice(0, 32);
}
