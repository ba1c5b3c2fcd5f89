/** What this browser remembers of a person's choices. */

export function recall<T extends string>(name: string, allowed: readonly T[]): T | null {
  try {
    const value = localStorage.getItem(`loopwright.${name}`) as T | null;
    return value !== null && allowed.includes(value) ? value : null;
  } catch {
    // Storage may be switched off.
    return null;
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`loopwright.${name}`, value);
  } catch {
    // The choice holds for this page only.
  }
}
