/** Named, parameterised rule evaluators. Each is free, deterministic, and says what it looked at. */
export { grounded, type GroundedOptions } from './grounded.ts';
export { language, languageOf, letterCase } from './language.ts';
export { countUnits, length } from './length.ts';
export { angleTitle, bulletPoints, dividedParts, highlights, placeholders, sections } from './markdown.ts';
export { noMarkup } from './no-markup.ts';
export { absent, endsWith, inQuotationMarks, noCommas, patternCount, present, startsWith } from './pattern.ts';
export { fitsSchema, jsonText, requiredFields } from './structure.ts';
export { textRule, type Range } from './text-rule.ts';
export { capitalWords, forbiddenWords, keywordCount, keywords, letterCount, mentions } from './words.ts';
