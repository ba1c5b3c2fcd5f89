/** Wakes one sleeper. Calls while it is awake count once: it looks again before it sleeps. */
export class Wake {
  #called = false;
  #resume: (() => void) | null = null;

  call(): void {
    this.#called = true;
    this.#resume?.();
  }

  /** Until called, or for some time at most (ms), or until the signal aborts; at once when called since the last time. */
  async sleep(ms: number, signal: AbortSignal): Promise<'called' | 'timeout'> {
    if (!this.#called && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          this.#resume = null;
          resolve();
        };
        const timer = setTimeout(end, ms);
        signal.addEventListener('abort', end, { once: true });
        this.#resume = end;
      });
    }
    const woken = this.#called ? 'called' : 'timeout';
    this.#called = false;
    return woken;
  }
}
