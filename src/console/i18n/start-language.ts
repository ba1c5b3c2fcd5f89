import { effect } from '@preact/signals';
import { locale } from './language.ts';

/** Tells the browser, and whoever reads the page aloud, which language it is in. */
export function startLanguage(): void {
  effect(() => {
    document.documentElement.lang = locale() === 'zh-CN' ? 'zh-CN' : 'en';
  });
}
