import type { Evaluator } from '../define-evaluator.ts';
import { countFinding, textRule, type Range, type RuleFinding, type RuleOptions } from './text-rule.ts';

/** Lines that begin with `-` or `*` (a bold line begins with two stars and is none). */
export function bulletPoints(options: RuleOptions & Range): Evaluator {
  return textRule('bullet_points', options, (text) => countFinding((text.match(/^[^\S\n]*(?:\*[^*\n].*|-.*)$/gm) ?? []).length, options, 'bullet points', 'bullet points'));
}

/** Parts in *single* or **double** stars. */
export function highlights(options: RuleOptions & Range): Evaluator {
  return textRule('highlights', options, (text) => {
    const single = (text.match(/\*[^\n*]*\*/g) ?? []).filter((part) => part.replaceAll('*', '').trim() !== '');
    const double = (text.match(/\*\*[^\n*]*\*\*/g) ?? []).filter((part) => part.replaceAll('*', '').trim() !== '');
    return countFinding(single.length + double.length, options, 'highlighted parts', 'highlights');
  });
}

/** Placeholders such as [address]. */
export function placeholders(options: RuleOptions & Range): Evaluator {
  return textRule('placeholders', options, (text) => countFinding((text.match(/\[.*?\]/g) ?? []).length, options, 'placeholders in square brackets', 'placeholders'));
}

/** A title in <<double angle brackets>>. */
export function angleTitle(options: RuleOptions = {}): Evaluator {
  return textRule('angle_title', options, (text) =>
    countFinding((text.match(/<<[^\n]+>>/g) ?? []).filter((part) => part.replace(/[<>]/g, '').trim() !== '').length, { min: 1 }, 'titles in <<double angle brackets>>', 'title'),
  );
}

/** Parts between dividers (`***`, or another); an empty part in the middle is an issue. */
export function dividedParts(options: RuleOptions & Range & { divider?: string }): Evaluator {
  const divider = options.divider ?? '***';
  return textRule('divided_parts', options, (text): RuleFinding => {
    const parts = text.split(divider).map((part) => part.trim());
    if (parts.slice(1, -1).includes(''))
      return {
        issues: [{ type: 'empty_part', severity: 'medium', subject: divider, message: `There is nothing between two ${divider}.`, fix: 'Fill the part or take one divider out.' }],
        evidence: `${parts.length} parts, one of them empty`,
      };
    return countFinding(parts.filter((part) => part !== '').length, options, `parts divided by ${divider}`, 'parts');
  });
}

/** Numbered sections such as "SECTION 1". */
export function sections(options: RuleOptions & Range & { word: string }): Evaluator {
  return textRule('sections', options, (text) => {
    const word = options.word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return countFinding((text.match(new RegExp(`${word}\\s?\\d+`, 'g')) ?? []).length, options, `sections "${options.word} n"`, 'sections');
  });
}
