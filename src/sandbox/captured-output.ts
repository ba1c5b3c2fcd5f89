/** Both streams of a program under one limit: what a program may print is also what the parent holds in memory. */
export class CapturedOutput {
  readonly #limit: number;
  readonly #chunks: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] };
  #length = 0;
  #overflowed = false;

  /** `limit`: bytes of both streams together. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get overflowed(): boolean {
    return this.#overflowed;
  }

  /** False when the limit was passed: the chunk is kept up to it. */
  add(stream: 'stdout' | 'stderr', chunk: Buffer): boolean {
    const kept = chunk.subarray(0, this.#limit - this.#length);
    this.#chunks[stream].push(kept);
    this.#length += kept.length;
    if (kept.length < chunk.length) this.#overflowed = true;
    return !this.#overflowed;
  }

  /** Invalid UTF-8 becomes U+FFFD. */
  text(stream: 'stdout' | 'stderr'): string {
    return Buffer.concat(this.#chunks[stream]).toString('utf8');
  }
}
