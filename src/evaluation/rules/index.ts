/** Named, parameterised rule evaluators. Each is free, deterministic, and says what it looked at. */
export { grounded, type GroundedOptions } from './grounded.ts';
export { language, languageOf, letterCase, type Language } from './language.ts';
export { countUnits, length, type LengthUnit } from './length.ts';
export { angleTitle, bulletPoints, dividedParts, highlights, placeholders, sections } from './markdown.ts';
export { noMarkup } from './no-markup.ts';
export { absent, endsWith, inQuotationMarks, noCommas, patternCount, present, startsWith, type PatternOptions } from './pattern.ts';
export { fitsSchema, jsonText, requiredFields } from './structure.ts';
export { type Range, type RuleFinding, type RuleOptions, textRule } from './text-rule.ts';
export { capitalWords, forbiddenWords, keywordCount, keywords, letterCount } from './words.ts';
