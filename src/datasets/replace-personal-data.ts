import { createRedactor } from '../telemetry/redaction.ts';
import { findPersonal, type Found, type PersonalKind } from './personal-data.ts';

/** Puts the same stand-in in the place of the same original wherever it stands, in texts, keys and numbers. */
export interface Replacer {
  value<Value>(value: Value): Value;
  text(text: string): string;
  /** How many different originals it replaces. */
  count: number;
}

const redactor = createRedactor();

/**
 * Made for all that belongs together (a case's input, arguments and results), so that what was one person in them stays one. Mails, phone numbers, names,
 * addresses and people's ids become invented ones of the same form; secrets go as in the log. Pure: the same values give the same stand-ins.
 */
export function createReplacer(values: readonly unknown[]): Replacer {
  const originals = distinct(values.flatMap((value) => findPersonal(value)));
  const standIns = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const found of originals) standIns.set(keyOf(found.text), standInFor(found, counts, originals));
  // a part of a name is the same person
  for (const { kind, text } of originals)
    if (kind === 'name') for (const part of partsOf(text)) if (!standIns.has(keyOf(part))) standIns.set(keyOf(part), standIns.get(keyOf(text))!);
  const pattern = patternOf([...originals.map(({ text }) => text), ...originals.flatMap(({ kind, text }) => (kind === 'name' ? partsOf(text) : []))]);

  const text = (original: string): string => redactor.text(pattern === null ? original : original.replace(pattern, (match) => standIns.get(keyOf(match)) ?? match));
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return Number(standIns.get(String(value)) ?? value);
    if (Array.isArray(value)) return value.map(walk);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [text(name), walk(field)]));
  };
  return { text, value: <Value>(value: Value) => walk(redactor.value(value)) as Value, count: originals.length };
}

function distinct(found: Found[]): Found[] {
  const known = new Map<string, Found>();
  for (const each of found) if (each.text.length > 1 && !known.has(keyOf(each.text))) known.set(keyOf(each.text), each);
  return [...known.values()];
}

function keyOf(text: string): string {
  return text.toLowerCase();
}

function partsOf(name: string): string[] {
  return name.split(/[\s,]+/).filter((part) => part.length > 1 && part !== name && /^\p{L}/u.test(part));
}

/** The longest first, so that a name inside of a mail goes with the mail; a word is not cut out of a longer one. */
function patternOf(originals: string[]): RegExp | null {
  if (originals.length === 0) return null;
  const alternatives = [...new Set(originals)]
    .toSorted((one, other) => other.length - one.length)
    .map((text) => {
      const before = /^[\p{Script=Latin}\p{N}]/u.test(text) ? String.raw`(?<![\p{Script=Latin}\p{N}])` : '';
      const after = /[\p{Script=Latin}\p{N}]$/u.test(text) ? String.raw`(?![\p{Script=Latin}\p{N}])` : '';
      return before + text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`) + after;
    });
  return new RegExp(alternatives.join('|'), 'giu');
}

/** The first invented one that neither is nor holds an original. */
function standInFor({ kind, text }: Found, counts: Map<string, number>, originals: readonly Found[]): string {
  for (;;) {
    const index = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, index);
    const invented = invent(kind, text, index);
    const key = keyOf(invented);
    if (!originals.some((other) => key.includes(keyOf(other.text)) || (other.kind === 'name' && partsOf(other.text).some((part) => key.includes(keyOf(part)))))) return invented;
  }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const HEAVENLY = '甲乙丙丁戊己庚辛壬癸';
const ROLES = ['Person', 'Somebody', 'Client', 'Reader', 'Guest', 'Visitor'];

function invent(kind: PersonalKind, original: string, index: number): string {
  const isHan = /\p{Script=Han}/u.test(original);
  switch (kind) {
    case 'mail':
      return `person${index}@example.com`;
    case 'name': {
      const role = ROLES[Math.floor((index - 1) / LETTERS.length) % ROLES.length]!;
      return isHan
        ? `${index > HEAVENLY.length ? '客' : '某'}${HEAVENLY[(index - 1) % HEAVENLY.length]}${index > 2 * HEAVENLY.length ? index : ''}`
        : `${role} ${LETTERS[(index - 1) % LETTERS.length]}`;
    }
    case 'address':
      return isHan ? `示例路${index}号` : `${index} Example Street`;
    case 'phone':
    case 'number':
    case 'id':
      return sameForm(original, index);
  }
}

/** Letters, separators and length stay; the digits become the index. What has no digits becomes a number behind its first letters. */
function sameForm(original: string, index: number): string {
  const digits = original.replaceAll(/\D/g, '');
  if (digits.length === 0) return `${original.slice(0, 1)}-${index}`;
  // mobile numbers of China begin with 13 to 19: a tool may insist on that
  const kept = /^1[3-9]\d{9}$/.test(digits) ? 2 : 0;
  const made =
    digits.slice(0, kept) +
    String(index)
      .padStart(digits.length - kept, '0')
      .slice(-(digits.length - kept));
  let next = 0;
  const formed = original.replaceAll(/\d/g, () => made[next++]!).replace(/(?<=\d[^]*)[a-z]/gi, 'x');
  return index >= 10 ** (digits.length - kept) ? `${formed}-${index}` : formed;
}
