import type { Me } from '../../contracts/api/identity.ts';
import { get, post } from '../api.ts';
import { setServerTime } from './clock.ts';
import { session } from './session.ts';

/** Asks the gateway who this is. */
export async function loadSession(): Promise<void> {
  try {
    const principal = await get<Me>('/v1/me');
    setServerTime(principal.now);
    session.value = { status: 'signed_in', principal };
  } catch (error) {
    // A 401 has set `signed_out` already.
    if (session.peek().status !== 'signed_out') session.value = { status: 'failed', error };
  }
}

/** @throws {ApiError} when the link was used, has expired or never was */
export async function signIn(token: string): Promise<void> {
  await post('/sign-in', { token }, { keepSession: true });
  session.value = { status: 'unknown' };
  await loadSession();
}

/** @throws {ApiError} when the gateway does not answer: then the session is still open */
export async function signOut(): Promise<void> {
  await post('/sign-out', {}, { keepSession: true });
  session.value = { status: 'signed_out', ended: false };
}
