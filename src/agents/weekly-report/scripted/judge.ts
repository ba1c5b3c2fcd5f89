import { answer, type ScriptedReply, type ScriptedRequest } from '../../../models/scripted/script.ts';
import type { CRITERIA } from '../evaluators/report-judge.ts';
import { WORDS } from '../wording.ts';

interface Score {
  criterion: (typeof CRITERIA)[number];
  quote: string;
  reason: string;
  score: number;
}

const MAX_LINE = 160;
const GUSH = /[!！]|\b(?:amazing|awesome|fantastic|great job)\b|太棒|加油|辛苦了/i;

/** A judge that reads the candidate: it quotes a line and scores by what that line says, never by what the candidate says about itself. */
export function judgeReply(request: ScriptedRequest): ScriptedReply {
  const candidate = section(request.lastUser(), 'candidate');
  const lines = candidate
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const at = (kind: 'title' | 'keyMetrics' | 'plan'): number =>
    lines.findIndex((line) => [WORDS.zh[kind], WORDS.en[kind]].some((word) => line.toLowerCase().startsWith(word.toLowerCase())));
  const [title, metrics, plan] = [at('title'), at('keyMetrics'), at('plan')];
  const [first = ''] = lines;
  const longest = lines.toSorted((a, b) => b.length - a.length)[0] ?? '';
  const gush = lines.find((line) => GUSH.test(line));
  const isOrdered = title === 0 && title < metrics && metrics < plan;
  const scores: Score[] = [
    score(
      'complete',
      plan >= 0 && metrics > 1,
      lines[1] ?? first,
      'Items, metrics and plan are there.',
      'Something that the reader needs is not there: give items, metrics and plan.',
    ),
    score('accurate', metrics >= 0, lines[metrics] ?? first, 'The figures are those that were given.', 'The figures that were given are not there: give them.'),
    score('concise', longest.length <= MAX_LINE, longest, 'The longest line is short.', 'A line is too long: say it in fewer words.'),
    score('tone', gush === undefined, gush ?? first, 'It is factual.', 'It cheers: state facts.'),
    score('structure', isOrdered, first, 'Title, items, metrics and plan stand in order.', 'The parts are not in order: title, items, key metrics, plan.'),
  ];
  return answer({ criteria: scores });
}

function score(criterion: Score['criterion'], isGood: boolean, quote: string, good: string, bad: string): Score {
  return { criterion, quote, reason: isGood ? good : bad, score: isGood ? 10 : quote === '' ? 0 : 3 };
}

function section(material: string, name: string): string {
  const found = new RegExp(`<${name}>\\n?([\\s\\S]*?)\\n?</${name}>`).exec(material)?.[1] ?? '';
  return found.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
