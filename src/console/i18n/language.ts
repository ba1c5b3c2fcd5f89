/** In which language the console speaks. */
import { signal } from '@preact/signals';
import { recall, remember } from '../state/stored.ts';

export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

/** That of this browser, or the one that was chosen. */
export const language = signal<Language>(recall('language', LANGUAGES) ?? (navigator.language?.toLowerCase().startsWith('zh') ? 'zh' : 'en'));

/** For `Intl`. */
export function locale(): string {
  return language.value === 'zh' ? 'zh-CN' : 'en-GB';
}

export function setLanguage(next: Language): void {
  language.value = next;
  remember('language', next);
}
