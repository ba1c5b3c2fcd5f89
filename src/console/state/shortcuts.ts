/** Keys that do something on the page that is shown. */
import { signal } from '@preact/signals';

export interface Shortcut {
  /** As `KeyboardEvent.key` has it, or two parted by a space: first one, then the other. */
  key: string;
  label: () => string;
  run: () => void;
}

/** Groups by the part of the page that they belong to, in the order they appeared. */
export const shortcuts = signal<readonly (readonly Shortcut[])[]>([]);
export const helpOpen = signal(false);

/** @returns what takes them away again */
export function addShortcuts(group: readonly Shortcut[]): () => void {
  shortcuts.value = [...shortcuts.peek(), group];
  return () => (shortcuts.value = shortcuts.peek().filter((other) => other !== group));
}

const SEQUENCE_MS = 1_000;
let first: { key: string; at: number } | null = null;

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'));
}

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || event.isComposing || isTyping(event.target)) return;
  // An open dialog has the keyboard for itself.
  if (document.querySelector('dialog[open]')) return;
  const sequence = first && Date.now() - first.at < SEQUENCE_MS ? `${first.key} ${event.key}` : null;
  first = null;
  const all = shortcuts.peek().flat();
  const found = (sequence && all.findLast((shortcut) => shortcut.key === sequence)) || all.findLast((shortcut) => shortcut.key === event.key);
  if (found) {
    event.preventDefault();
    found.run();
  } else if (all.some((shortcut) => shortcut.key.startsWith(`${event.key} `))) first = { key: event.key, at: Date.now() };
});
