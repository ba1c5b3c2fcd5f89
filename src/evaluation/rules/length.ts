import type { Evaluator } from '../define-evaluator.ts';
import { countFinding, textRule, type Range, type RuleOptions } from './text-rule.ts';

export type LengthUnit = 'characters' | 'words' | 'sentences' | 'lines' | 'paragraphs';

/** Counts a text. Characters as a reader sees them, spaces not counted; lines and paragraphs without blank ones; each Han character is a word. */
export function countUnits(text: string, unit: LengthUnit): number {
  switch (unit) {
    case 'characters':
      return [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text.replace(/\s+/g, ''))].length;
    case 'words':
      return (text.match(/\p{Script=Han}|[\p{Script=Latin}\p{N}_]+|[^\s\p{Script=Han}\p{Script=Latin}\p{N}\p{P}\p{S}]+/gu) ?? []).length;
    case 'sentences':
      return sentencesOf(text).length;
    case 'lines':
      return text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '').length;
    case 'paragraphs':
      return text.split(/(?:\r?\n[^\S\n]*){2,}/).filter((part) => part.trim() !== '').length;
    default:
      return unit satisfies never;
  }
}

/** Sentences of a Chinese or English text. A dot inside a number, an id or an abbreviation of one letter ends none. */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=[。！？!?…]["”’」』)]*)|(?<=(?<!\b[A-Za-z])\.["”’)]*)(?=\s|$)|\n{2,}/).filter((part) => /[\p{L}\p{N}]/u.test(part));
}

/** How long the text is. */
export function length(options: RuleOptions & Range & { unit: LengthUnit }): Evaluator {
  return textRule(`length_${options.unit}`, options, (text) => countFinding(countUnits(text, options.unit), options, options.unit, options.unit));
}
