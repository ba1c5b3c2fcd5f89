import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ProblemError } from './problem.ts';

const MINUTE_S = 60;
/** Requests without valid credentials, of one address. */
const FAILURES_PER_MINUTE = 60;

/** Counts what callers ask for. In the memory of this process: several gateways allow as much each. */
export interface RateLimits {
  /** @throws {ProblemError} 429 with the seconds to wait */
  request(subject: string): Promise<void>;
  /** Counts a request without valid credentials. @throws {ProblemError} 429 */
  failure(address: string): Promise<void>;
}

/** @param perMinute requests of one principal */
export function createRateLimits(perMinute: number): RateLimits {
  const requests = new RateLimiterMemory({ points: perMinute, duration: MINUTE_S });
  const failures = new RateLimiterMemory({ points: FAILURES_PER_MINUTE, duration: MINUTE_S });
  return {
    request: (subject) => consume(requests, subject, `At most ${perMinute} requests a minute are answered.`),
    failure: (address) => consume(failures, address, `At most ${FAILURES_PER_MINUTE} requests a minute without valid credentials are answered.`),
  };
}

async function consume(limiter: RateLimiterMemory, key: string, why: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1_000));
    throw new ProblemError(429, 'rate_limited', `${why} Try again in ${seconds} s.`, { retryAfter: seconds });
  }
}
