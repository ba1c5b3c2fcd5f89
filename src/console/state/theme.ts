import { effect, signal } from '@preact/signals';
import { recall, remember } from './stored.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const theme = signal<Theme>(recall('theme', THEMES) ?? 'system');
/** Counts changes of what the page looks like, for what draws its own colours (charts). */
export const themeChanges = signal(0);

export function startTheme(): void {
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value;
    themeChanges.value = themeChanges.peek() + 1;
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => themeChanges.value++);
}

export function setTheme(next: Theme): void {
  theme.value = next;
  remember('theme', next);
}
