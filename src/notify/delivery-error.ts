/** A try that the target did not accept. The message holds no secret. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  /** The target asked for this much time, ms; null: it did not say. */
  readonly retryAfterMs: number | null;
  /** Trying again gives the same. */
  readonly permanent: boolean;
  constructor(message: string, options: { retryAfterMs?: number | null; permanent?: boolean } = {}) {
    super(message);
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.permanent = options.permanent ?? false;
  }
}

/** `Retry-After` in seconds or as a date; null when it is neither. */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Math.round(Number(header) * 1_000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
