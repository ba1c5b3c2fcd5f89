import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';

/** The issuer can't be asked now: nothing is known of the token, and trying again later may work. */
export class IssuerUnavailableError extends Error {
  override readonly name = 'IssuerUnavailableError';
}

const TIMEOUT_MS = 5_000;
/** Of a configuration or key set. */
const MAX_BYTES = 512 * 1024;
/** A key set is fetched anew after so long, ms, so that withdrawn keys go. */
const KEYS_FOR_MS = 10 * 60_000;

export interface IssuerOptions {
  issuer: string;
  /** Null: found by the issuer's `/.well-known/openid-configuration`. */
  jwksUrl: string | null;
  /** An unknown key id makes the set be fetched anew, but not within so long after the last time, ms. */
  cooldownMs: number;
  /** After a failure the issuer is left alone for so long, ms. */
  backoffMs: number;
}

/** Finds the key that a token names. Keys are cached; the issuer is asked at the first token and for keys that are not known. @throws {IssuerUnavailableError} */
export function keysOfIssuer(options: IssuerOptions): JWTVerifyGetKey {
  const read = withBackoff(options.backoffMs, readJson);
  let keys: Promise<JWTVerifyGetKey> | null = null;

  async function find(): Promise<JWTVerifyGetKey> {
    const url = new URL(options.jwksUrl ?? (await discover(options.issuer, read)));
    return createRemoteJWKSet(url, {
      timeoutDuration: TIMEOUT_MS,
      cooldownDuration: options.cooldownMs,
      cacheMaxAge: KEYS_FOR_MS,
      [customFetch]: async (address) => Response.json(await read(address)),
    });
  }

  return async (header, token) => {
    keys ??= find().catch((error: unknown) => {
      keys = null;
      throw error;
    });
    return (await keys)(header, token);
  };
}

async function discover(issuer: string, read: (url: string) => Promise<unknown>): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const configuration = (await read(url)) as { issuer?: unknown; jwks_uri?: unknown } | null;
  if (configuration?.issuer !== issuer) throw new IssuerUnavailableError(`${url} speaks for another issuer. Set LOOPWRIGHT_OIDC_ISSUER exactly as it names itself.`);
  const { jwks_uri: jwks } = configuration;
  if (typeof jwks !== 'string' || !URL.canParse(jwks)) throw new IssuerUnavailableError(`${url} names no "jwks_uri"`);
  // keys that anybody on the way could exchange are worth nothing
  if (new URL(issuer).protocol === 'https:' && new URL(jwks).protocol !== 'https:') throw new IssuerUnavailableError(`${url} names a "jwks_uri" without https`);
  return jwks;
}

async function readJson(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS), headers: { accept: 'application/json' } });
    if (response.status !== 200) throw new Error(`it answered ${response.status}`);
    const text = await response.text();
    if (text.length > MAX_BYTES) throw new Error('its answer is too large');
    const json: unknown = JSON.parse(text);
    if (typeof json !== 'object' || json === null) throw new Error('its answer is no object');
    return json;
  } catch (error) {
    throw new IssuerUnavailableError(`${url} could not be read: ${(error as Error).message}`, { cause: error });
  }
}

/** An issuer that is down costs one wait, not one for each request. */
function withBackoff(backoffMs: number, read: (url: string) => Promise<unknown>): (url: string) => Promise<unknown> {
  let failed: { at: number; error: unknown } | null = null;
  return async (url) => {
    if (failed && performance.now() - failed.at < backoffMs) throw failed.error;
    try {
      const json = await read(url);
      failed = null;
      return json;
    } catch (error) {
      failed = { at: performance.now(), error };
      throw error;
    }
  };
}
