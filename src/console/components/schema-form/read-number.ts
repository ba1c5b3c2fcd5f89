import { Unfinished } from './schema.ts';

/** Digits that a number keeps for certain. */
const EXACT_DIGITS = 15;

/** A number written as JSON has it. One that would lose digits is none: what runs must be what was typed. */
export function readNumber(text: string): number | Unfinished {
  const trimmed = text.trim();
  const digits = /^-?(\d+)(?:\.(\d+))?(?:[eE][+-]?\d{1,3})?$/.exec(trimmed);
  if (!digits) return new Unfinished(text);
  const number = Number(trimmed);
  const exact = Number.isSafeInteger(number) || `${digits[1]}${digits[2] ?? ''}`.replace(/^0+/, '').length <= EXACT_DIGITS;
  return Number.isFinite(number) && exact ? number : new Unfinished(text);
}
