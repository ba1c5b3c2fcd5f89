import { useLayoutEffect, useRef } from 'preact/hooks';
import { addShortcuts, type Shortcut } from '../state/shortcuts.ts';

/** Keys as long as the component is there. What they do may change from one drawing to the next; which they are may not. */
export function useShortcuts(group: readonly Shortcut[]): void {
  const latest = useRef(group);
  latest.current = group;
  // As soon as the page is seen, not a moment after.
  useLayoutEffect(() => addShortcuts(group.map((shortcut, index) => ({ ...shortcut, run: () => latest.current[index]?.run() }))), []);
}
