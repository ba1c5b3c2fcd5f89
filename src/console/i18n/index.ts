/** Every text of the console, in both languages. */
import { en } from './en/index.ts';
import { type Language, language } from './language.ts';
import { zh } from './zh/index.ts';

export { language, LANGUAGES, locale, setLanguage, type Language } from './language.ts';
export type Texts = typeof en;

const texts: Record<Language, Texts> = { en, zh };

/** The texts in the language now; read in a component, it is drawn again when the language changes. */
export function t(): Texts {
  return texts[language.value];
}
