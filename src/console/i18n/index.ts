/** Every text of the console, in the language of this browser or the one that was chosen. */
import { effect, signal } from '@preact/signals';
import { recall, remember } from '../state/stored.ts';
import { en } from './en/index.ts';
import { zh } from './zh/index.ts';

export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Texts = typeof en;

const texts: Record<Language, Texts> = { en, zh };

export const language = signal<Language>(recall('language', LANGUAGES) ?? (navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'));

/** The texts in the language now; read in a component, it is drawn again when the language changes. */
export function t(): Texts {
  return texts[language.value];
}

/** For `Intl`. */
export function locale(): string {
  return language.value === 'zh' ? 'zh-CN' : 'en-GB';
}

export function setLanguage(next: Language): void {
  language.value = next;
  remember('language', next);
}

export function startLanguage(): void {
  effect(() => {
    document.documentElement.lang = language.value === 'zh' ? 'zh-CN' : 'en';
  });
}
