import type { ScriptedRequest } from './script.ts';

/** A fault on demand. Fields combine: a delay and then a status, for one. */
export interface Fault {
  /** Answers with this status instead of the script. */
  status?: number;
  headers?: Record<string, string>;
  /** Default: an OpenAI-style error naming the status. */
  body?: unknown;
  /** `headers`: never answers. `body`: sends the headers and a part of the body, then nothing. */
  hang?: 'headers' | 'body';
  /** Closes the socket after this many chunks of a stream, or after that share of a plain body. */
  cutAfterChunks?: number;
  /** Ends a stream in good order after this many chunks: no finish reason, no [DONE]. */
  endAfterChunks?: number;
  /** Wait between the chunks of this stream, ms. */
  chunkDelayMs?: number;
  /** Waits before anything else, ms. */
  delayMs?: number;
  /** Calls it applies to; default 1. */
  times?: number;
  /** Only calls that fit; others leave it waiting. */
  when?: (request: ScriptedRequest) => boolean;
}

/** Faults that wait for a call; the first that fits is used. */
export class FaultQueue {
  #waiting: { fault: Fault; left: number }[] = [];

  push(...faults: Fault[]): void {
    for (const fault of faults) this.#waiting.push({ fault, left: fault.times ?? 1 });
  }

  /** Takes the fault for a call, or null. */
  take(request: ScriptedRequest): Fault | null {
    const entry = this.#waiting.find(({ fault }) => fault.when?.(request) ?? true);
    if (!entry) return null;
    entry.left -= 1;
    if (entry.left <= 0) this.#waiting = this.#waiting.filter((other) => other !== entry);
    return entry.fault;
  }

  clear(): void {
    this.#waiting = [];
  }

  get size(): number {
    return this.#waiting.length;
  }
}
