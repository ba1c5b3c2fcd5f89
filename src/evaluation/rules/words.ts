import type { EvaluationContext, Evaluator } from '../define-evaluator.ts';
import { countFinding, quoted, shareOf, snippet, textRule, type Range, type RuleOptions } from './text-rule.ts';

/** Places of a word, whatever its case. Letters and digits next to it make it another word, except between scripts without spaces ("退款refund"). */
function findWord(text: string, word: string): number[] {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const latin = String.raw`[\p{Script=Latin}\p{N}_]`;
  const before = /^[\p{Script=Latin}\p{N}_]/u.test(word) ? `(?<!${latin})` : '';
  const after = /[\p{Script=Latin}\p{N}_]$/u.test(word) ? `(?!${latin})` : '';
  return [...text.matchAll(new RegExp(before + escaped + after, 'giu'))].map((match) => match.index);
}

/** Places of a text inside another, whatever its case and what stands around it. */
function findText(text: string, part: string): number {
  const [haystack, needle] = [text.toLowerCase(), part.toLowerCase()];
  return needle === '' ? 0 : haystack.split(needle).length - 1;
}

/** Every keyword stands in the text, or at least one with `mode: 'any'`. Part of a word counts ("test" in "tests"). */
export function keywords(
  options: RuleOptions & { /** Given, or worked out from the task. */ words: string[] | ((context: EvaluationContext) => string[]); mode?: 'all' | 'any' },
): Evaluator {
  return textRule('keywords', options, (text, context) => {
    const words = typeof options.words === 'function' ? options.words(context) : options.words;
    const missing = words.filter((word) => findText(text, word) === 0);
    const found = words.filter((word) => !missing.includes(word));
    const evidence = `${found.length} of ${words.length} keywords found${missing.length > 0 ? `; missing: ${quoted(missing)}` : ''}`;
    if (options.mode === 'any') {
      const issues =
        found.length > 0
          ? []
          : [{ type: 'missing_keyword', severity: 'medium' as const, subject: words.join('|'), message: `None of ${quoted(words)} is in the text.`, fix: `Use one of them.` }];
      return { issues, evidence };
    }
    const issues = missing.map((word) => ({
      type: 'missing_keyword',
      severity: 'medium' as const,
      subject: word,
      message: `"${word}" is not in the text.`,
      fix: `Write "${word}" where it belongs.`,
    }));
    return { issues, evidence, score: shareOf(found.length, words.length), keep: found.map((word) => `the keyword "${word}"`) };
  });
}

/** As readers compare: case, width, white space and the mark at the end make no difference. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, '')
    .replace(/[。.;!,、]+$/, '');
}

/** Every part that was given (an item of the input, a required sentence) stands in the text in its own words, whatever case, width and white space. */
export function mentions(options: RuleOptions & { parts: (context: EvaluationContext) => string[]; /** What a part is called: "work item". */ what: string }): Evaluator {
  return textRule('mentions', options, (text, context) => {
    const parts = [...new Set(options.parts(context))];
    const haystack = plain(text);
    const missing = parts.filter((part) => !haystack.includes(plain(part)));
    const found = parts.filter((part) => !missing.includes(part));
    return {
      issues: missing.map((part) => ({
        type: 'missing_part',
        severity: 'medium' as const,
        subject: snippet(part),
        message: `The ${options.what} "${snippet(part)}" is not in the text.`,
        fix: `Write "${snippet(part, 300)}" in these words.`,
      })),
      evidence: `${found.length} of ${parts.length} found (${options.what})${missing.length > 0 ? `; missing: ${quoted(missing.map((part) => snippet(part, 60)))}` : ''}`,
      score: shareOf(found.length, parts.length),
      keep: found.map((part) => snippet(part)),
    };
  });
}

/** None of the words stands in the text, as a whole word. */
export function forbiddenWords(options: RuleOptions & { words: string[]; /** What to write instead, by word. */ instead?: Record<string, string> }): Evaluator {
  return textRule('forbidden_words', options, (text) => {
    const found = options.words.flatMap((word) => {
      const [first] = findWord(text, word);
      return first === undefined ? [] : [{ word, place: text.slice(Math.max(0, first - 30), first + word.length + 30) }];
    });
    return {
      issues: found.map(({ word, place }) => ({
        type: 'forbidden_word',
        severity: 'high' as const,
        subject: word,
        message: `"${word}" must not be in the text.`,
        evidence: place,
        fix: options.instead?.[word] ? `Write "${options.instead[word]}" instead.` : `Say it without "${word}".`,
      })),
      evidence: found.length > 0 ? `found ${quoted(found.map(({ word }) => word))}` : `none of ${options.words.length} forbidden words found`,
    };
  });
}

/** How often a word or part of one stands in the text. */
export function keywordCount(options: RuleOptions & Range & { word: string }): Evaluator {
  return textRule('keyword_count', options, (text) => countFinding(findText(text, options.word), options, `times "${options.word}"`, options.word));
}

/** How often a letter or other character stands in the text, whatever its case. */
export function letterCount(options: RuleOptions & Range & { letter: string }): Evaluator {
  return textRule('letter_count', options, (text) => countFinding(findText(text, options.letter), options, `times "${options.letter}"`, options.letter));
}

/** Words of at least one letter, all of them capitals. */
export function capitalWords(options: RuleOptions & Range): Evaluator {
  return textRule('capital_words', options, (text) => {
    const words = text.match(/[\p{L}\p{N}'’]+/gu) ?? [];
    const capitals = words.filter((word) => /\p{Lu}/u.test(word) && !/\p{Ll}/u.test(word));
    return countFinding(capitals.length, options, 'words in capitals', 'capital words');
  });
}
