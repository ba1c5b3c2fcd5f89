import { FetchRefused } from '../../tools/http-fetch/fetch-refused.ts';
import type { GuardedFetch } from '../../tools/http-fetch.ts';
import { DeliveryError, retryAfterMs } from '../delivery-error.ts';

/** Posts a text; only 2xx is a yes. Redirects are not followed: the address in the configuration is where it goes. @throws {DeliveryError} */
export async function postJson(fetch: GuardedFetch, url: string, body: string, headers: Record<string, string>, signal: AbortSignal): Promise<void> {
  const { host } = new URL(url);
  let response;
  try {
    response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers }, signal });
  } catch (error) {
    if (error instanceof FetchRefused) throw new DeliveryError(`${host}: ${error.message}`, { permanent: error.refusal === 'blocked_address' || error.refusal === 'blocked_url' });
    throw new DeliveryError(`${host} was not reached: ${error instanceof Error ? error.message || error.name : String(error)}`);
  }
  const { status } = response;
  if (status >= 200 && status < 300) return;
  // 410: whoever was there wants no more of it
  throw new DeliveryError(`${host} answered with status ${status}`, { retryAfterMs: retryAfterMs(response.headers['retry-after'], Date.now()), permanent: status === 410 });
}
