/** Numbers in words, as digits: "三天" → "3天", "百分之十二" → "12%", "three days" → "3 days". Positions of what was changed are kept. */
export interface Digits {
  text: string;
  /** The original words of a span of `text`. */ original: (start: number, end: number) => string;
}

const DIGITS = new Map([...'零一二三四五六七八九'].map((character, value): [string, number] => [character, value]));
DIGITS.set('〇', 0).set('两', 2);
const UNITS = new Map([
  ['十', 10],
  ['百', 100],
  ['千', 1_000],
]);
const LARGE = new Map([
  ['万', 10_000],
  ['亿', 100_000_000],
]);

const CHARACTERS = '零〇一二两三四五六七八九十百千万亿';
// bounded, so that a long run of numerals is no quadratic search
const HAN = `[${CHARACTERS}]{1,20}`;
const MEASURES = '个?工作日|个?自然日|个?小时|个钟头|个?月|个?星期|天|日|号|年|周|分钟|秒|元|块|角|件|单|笔|次|倍|折|岁|位|人|条|张|份|台|公斤|千克|克|公里|个百分点';
/** 一 is a number only here; elsewhere it is mostly no count ("一次", "一下", "一天"). */
const MEASURES_OF_ONE = '个?工作日|个?小时|个月|元|块钱|月(?!份?以来)|号|折';
const ENGLISH = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
];
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const ENGLISH_UNITS =
  '(?:(?:more|full|business|working|calendar) )?(?:days?|hours?|minutes?|weeks?|months?|years?|times|items?|parcels?|orders?|refunds?|requests?|dollars?|yuan|euros?|percent)';

const patternOf = (measures: string, englishUnits: string): RegExp =>
  new RegExp(
    [
      `百分之(?<percent>${HAN}(?:点${HAN})?|\\d{1,12}(?:\\.\\d{1,12})?)`,
      `(?<![第星期周\\d${CHARACTERS}])(?<han>${HAN}(?:点${HAN})?)(?=\\s*(?:${measures}))`,
      `\\b(?<english>${[...ENGLISH.slice(2), ...TENS].join('|')}|(?:${TENS.join('|')})-(?:${ENGLISH.slice(1, 10).join('|')}))\\b(?= ${englishUnits}\\b)`,
    ].join('|'),
    'giu',
  );
const PATTERN = patternOf(MEASURES, ENGLISH_UNITS);
/** Classifiers that follow a count of nearly anything. */
const PATTERN_OF_ANY = patternOf(`${MEASURES}|个|项|名|家|处|篇|轮|版|场|款|套|户|例|起|万元`, '\\p{L}+');

/** Only where a measure follows, for a numeral alone is mostly part of a word ("统一", "万一", "十分"). */
export function digitsOf(text: string, { anyNoun }: { anyNoun: boolean } = { anyNoun: false }): Digits {
  const changes: { start: number; end: number; original: string }[] = [];
  let shift = 0;
  const changed = text.replace(anyNoun ? PATTERN_OF_ANY : PATTERN, (original: string, ...rest: unknown[]) => {
    const offset = rest.find((item) => typeof item === 'number') as number;
    const groups = rest.at(-1) as { percent?: string; han?: string; english?: string };
    const digits = readGroups(groups, text.slice(offset + original.length));
    if (digits === null) return original;
    changes.push({ start: offset + shift, end: offset + shift + digits.length, original });
    shift += digits.length - original.length;
    return digits;
  });
  return { text: changed, original: (start, end) => restore(changed, changes, start, end) };
}

function readGroups({ percent, han, english }: { percent?: string; han?: string; english?: string }, after: string): string | null {
  if (percent !== undefined) return `${/\d/.test(percent) ? percent : readHan(percent)}%`;
  if (english !== undefined) return String(readEnglish(english.toLowerCase()));
  if (han === undefined || !/[零〇一二两三四五六七八九十]/.test(han)) return null;
  if (han === '一' && !new RegExp(`^\\s*(?:${MEASURES_OF_ONE})`).test(after)) return null;
  return String(readHan(han));
}

function restore(text: string, changes: { start: number; end: number; original: string }[], start: number, end: number): string {
  const touched = changes.filter((change) => change.start < end && change.end > start);
  return touched.reduceRight((part, change) => part.slice(0, Math.max(0, change.start - start)) + change.original + part.slice(change.end - start), text.slice(start, end));
}

/** 二百九十九 → 299, 三万五 → 35000, 二〇二六 → 2026, 一点五 → 1.5. */
export function readHan(text: string): number {
  const [whole = '', fraction] = text.split('点');
  const value =
    [...whole].every((character) => DIGITS.has(character)) && whole.length > 1 ? Number([...whole].map((character) => DIGITS.get(character)).join('')) : readWhole(whole);
  return fraction ? Number(`${value}.${[...fraction].map((character) => DIGITS.get(character) ?? 0).join('')}`) : value;
}

function readWhole(text: string): number {
  let [total, section, digit, lastUnit, afterZero] = [0, 0, 0, 1, false];
  for (const character of text) {
    const [small, large] = [UNITS.get(character), LARGE.get(character)];
    if (small !== undefined) {
      section += (digit || 1) * small;
      [digit, lastUnit, afterZero] = [0, small, false];
    } else if (large !== undefined) {
      total = large === 100_000_000 ? (total + section + digit) * large : total + (section + digit) * large;
      [section, digit, lastUnit, afterZero] = [0, 0, large, false];
    } else {
      digit = DIGITS.get(character) ?? 0;
      if (digit === 0) afterZero = true;
    }
  }
  // 三百五 is 350, 三百零五 is 305, 十五 is 15
  return total + section + (lastUnit > 10 && !afterZero ? digit * (lastUnit / 10) : digit);
}

function readEnglish(word: string): number {
  const [tens = '', ones] = word.split('-');
  const base = TENS.includes(tens) ? (TENS.indexOf(tens) + 2) * 10 : ENGLISH.indexOf(tens);
  return base + (ones ? ENGLISH.indexOf(ones) : 0);
}
