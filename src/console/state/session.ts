/** Who uses the console. */
import { signal } from '@preact/signals';
import type { Me } from '../../contracts/api/identity.ts';

export type Session = { status: 'unknown' } | { status: 'signed_in'; principal: Me } | { status: 'signed_out'; ended: boolean } | { status: 'failed'; error: unknown };

export const session = signal<Session>({ status: 'unknown' });

/** The gateway no longer knows this session. */
export function signedOut(): void {
  const { status } = session.peek();
  if (status !== 'signed_out') session.value = { status: 'signed_out', ended: status === 'signed_in' };
}

/** The signed-in principal; null otherwise. */
export function principal(): Me | null {
  return session.value.status === 'signed_in' ? session.value.principal : null;
}

/** Whether the person may do something (`task.cancel`): for showing and hiding. The gateway checks each request again. */
export function may(action: string): boolean {
  return principal()?.actions.includes(action) ?? false;
}
