/** The time as the gateway has it, for what counts down and what is so long ago. */
import { signal } from '@preact/signals';

/** What this computer's clock is behind the gateway's, ms. */
let behind = 0;
const read = (): number => Date.now() + behind;

/** Unix ms, moved on at every full second. Whoever reads it in a component is drawn again each second. */
export const now = signal(read());

/** A difference this small is the time that the answer took to come. */
const IGNORED_MS = 2_000;

/** @param time RFC 3339, as the gateway just gave it */
export function setServerTime(time: string): void {
  const difference = new Date(time).getTime() - Date.now();
  behind = Math.abs(difference) < IGNORED_MS || Number.isNaN(difference) ? 0 : difference;
  now.value = read();
}

function tick(): void {
  now.value = read();
  setTimeout(tick, 1_000 - (read() % 1_000));
}
tick();
// A hidden page's timers sleep.
document.addEventListener('visibilitychange', () => (now.value = read()));
