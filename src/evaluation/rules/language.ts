import type { EvaluationContext, Evaluator } from '../define-evaluator.ts';
import { textRule, type RuleOptions } from './text-rule.ts';

export type Language = 'zh' | 'en';

/** Han characters weigh as much as Latin words. Ids, links and code are no language. */
export function languageOf(text: string): { language: Language | null; han: number; latin: number } {
  const prose = text
    .normalize('NFKC')
    .replace(/```[\s\S]*?```|`[^`\n]*`|https?:\/\/\S+|\S+@\S+/g, ' ')
    .replace(/\b[A-Za-z]*[_\d-][\w-]*/g, ' ');
  const han = (prose.match(/\p{Script=Han}/gu) ?? []).length;
  const latin = (prose.match(/\p{Script=Latin}{2,}/gu) ?? []).length;
  const kana = (prose.match(/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Arabic}]/gu) ?? []).length;
  if (han + latin === 0 || kana > (han + latin) / 4) return { language: null, han, latin };
  // a Chinese sentence may name a few products in English; an English one rarely holds Chinese
  return { language: han >= latin ? 'zh' : 'en', han, latin };
}

/** The text is in Chinese or English, as given or as worked out from the task. */
export function language(options: RuleOptions & { language: Language | ((context: EvaluationContext) => Language) }): Evaluator {
  return textRule('language', options, (text, context) => {
    const wanted = typeof options.language === 'function' ? options.language(context) : options.language;
    const found = languageOf(text);
    const evidence = `${found.han} Han characters and ${found.latin} English words: ${found.language ?? 'neither language'}, wanted ${wanted}`;
    if (found.language === wanted) return { issues: [], evidence };
    const name = wanted === 'zh' ? 'Chinese' : 'English';
    return {
      issues: [
        {
          type: 'wrong_language',
          severity: 'high',
          subject: wanted,
          message: `The text must be in ${name}.`,
          evidence,
          fix: wanted === 'zh' ? '请用中文写。' : 'Write it in English.',
        },
      ],
      evidence,
    };
  });
}

/** All letters small, or all capital. A text without letters has no case and fails. */
export function letterCase(options: RuleOptions & { letters: 'lower' | 'upper' }): Evaluator {
  return textRule(`${options.letters}_case`, options, (text) => {
    const wrong = text.match(options.letters === 'lower' ? /\p{Lu}\S*/gu : /\S*\p{Ll}\S*/gu) ?? [];
    const hasLetters = /[\p{Lu}\p{Ll}]/u.test(text);
    const evidence = hasLetters ? `${wrong.length} words with letters of the other case${wrong[0] ? `, first "${wrong[0].slice(0, 40)}"` : ''}` : 'there is no letter in the text';
    if (hasLetters && wrong.length === 0) return { issues: [], evidence };
    return {
      issues: [
        {
          type: 'wrong_case',
          severity: 'medium',
          subject: options.letters,
          message: `All letters must be ${options.letters} case.`,
          evidence,
          fix: `Write everything in ${options.letters} case.`,
        },
      ],
      evidence,
    };
  });
}
