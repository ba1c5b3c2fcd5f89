/**
 * What the program prints, in memory that both threads see: nothing is lost when the thread is ended in the middle, and a program that prints
 * without end fills this buffer and not the parent's message queue.
 */
export interface OutputBuffer {
  header: SharedArrayBuffer;
  stdout: SharedArrayBuffer;
  stderr: SharedArrayBuffer;
}

/** `limit`: bytes of both streams together. */
export function createOutputBuffer(limit: number): OutputBuffer {
  return { header: new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT), stdout: new SharedArrayBuffer(limit), stderr: new SharedArrayBuffer(limit) };
}

/** `onOverflow` is called when text did not fit; what fits is kept. */
export function outputWriter(buffer: OutputBuffer, onOverflow: () => void): (stream: 0 | 1, text: string) => void {
  const used = new Int32Array(buffer.header);
  const targets = [new Uint8Array(buffer.stdout), new Uint8Array(buffer.stderr)] as const;
  return (stream, text) => {
    const room = targets[stream].length - (used[0] ?? 0) - (used[1] ?? 0);
    const bytes = Buffer.from(text, 'utf8');
    const kept = bytes.subarray(0, room);
    const start = Atomics.load(used, stream);
    targets[stream].set(kept, start);
    Atomics.store(used, stream, start + kept.length);
    if (kept.length < bytes.length) onOverflow();
  };
}

export function readOutput(buffer: OutputBuffer): { stdout: string; stderr: string } {
  const used = new Int32Array(buffer.header);
  const text = (bytes: SharedArrayBuffer, length: number) => Buffer.from(new Uint8Array(bytes, 0, length).slice()).toString('utf8');
  return { stdout: text(buffer.stdout, Atomics.load(used, 0)), stderr: text(buffer.stderr, Atomics.load(used, 1)) };
}
