/** What a requirement says, read by code: its points and its words. */
import type { TestCasesInput } from './schemas.ts';

const MAX_POINTS = 30;

/** A sentence that states a rule, in English or Chinese. */
const RULE =
  /\b(?:must|should|shall|can(?:not|'t)?|may|needs? to|has to|have to|only|never|always|at (?:most|least)|no more than|between|valid|invalid|allowed|fails?|refused?|rejected)\b|必须|应当|应该|不能|不可|不得|可以|只能|至少|至多|最多|不超过|禁止|允许|失败|拒绝/i;

/** The points to cover: those given, else the sentences and list items that state a rule, else the first sentences. */
export function pointsOf({ requirement, coveragePoints }: Pick<TestCasesInput, 'requirement' | 'coveragePoints'>): string[] {
  if (coveragePoints) return [...new Set(coveragePoints)];
  const sentences = [...new Set(sentencesOf(requirement))];
  const rules = sentences.filter((sentence) => RULE.test(sentence));
  return (rules.length > 0 ? rules : sentences.slice(0, 5)).slice(0, MAX_POINTS);
}

function sentencesOf(requirement: string): string[] {
  return prose(requirement)
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)、])\s+/, ''))
    .flatMap((line) => line.split(/(?<=[.!?])\s+|(?<=[。！？；])/))
    .map((sentence) => sentence.trim().slice(0, 400))
    .filter((sentence) => sentence.length >= 4);
}

/** Without code, headings and the addresses of links. */
function prose(markdown: string): string {
  return markdown
    .replace(/```[\s\S]*?```/g, '\n')
    .replace(/^#+ .*$/gm, '')
    .replace(/^\[[^\]]+\]:.*$/gm, '')
    .replace(/\[([^\]]+)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/(?<=\S)\n(?=[a-z])/g, ' ');
}

const COMMON = new Set(
  'about after again against all also and any are because been before being below between both but can cannot could did does done each else example examples from given has have having here how implementation implement input instead into its itself just like made make makes many may more most must need needs not now number numbers once one only other our out output over program provided same shall should since some such take task than that the their them then there these they this those through too two under until use used user very was way were what when where which while who will with within would you your'.split(
    ' ',
  ),
);

/** English words of at least 3 letters in their stem, and pairs of Han characters. */
export function wordsOf(text: string): string[] {
  const english = text.toLowerCase().match(/[a-z][a-z0-9]{2,}/g) ?? [];
  const han = text.match(/\p{Script=Han}+/gu) ?? [];
  return [
    ...english.filter((word) => !COMMON.has(word)).map(stem),
    ...han.flatMap((run) => (run.length === 1 ? [run] : Array.from({ length: run.length - 1 }, (_, index) => run.slice(index, index + 2)))),
  ];
}

function stem(word: string): string {
  if (/(?:ies)$/.test(word)) return `${word.slice(0, -3)}y`;
  return word.replace(/(?:ing|ed|es|s)$/, (ending) => (word.length - ending.length >= 3 ? '' : ending)).replace(/e$/, '');
}

const TERMS = 8;

/** The words that a requirement is about: those that come again, the most frequent first; all of them where hardly any does. */
export function termsOf(requirement: string): string[] {
  const counts = new Map<string, number>();
  for (const word of wordsOf(prose(requirement))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  const recurring = sorted.filter(([, count]) => count > 1);
  return (recurring.length > 1 ? recurring : sorted).slice(0, TERMS).map(([word]) => word);
}
