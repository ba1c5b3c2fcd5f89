import { answer, type ScriptedReply, type ScriptedRequest } from '../../../models/scripted/script.ts';
import { wordsOf } from '../requirement-text.ts';

interface ShownCase {
  id: string;
  title: string;
}

/** Of a point's words, the share that a case's title must have. */
const ENOUGH = 0.7;

/** A judge that reads: a point is covered by the case whose title speaks of it, and that title is the quote. */
export function judgeReply(request: ScriptedRequest): ScriptedReply {
  const material = request.lastUser();
  const points = section(material, 'points')
    .split('\n')
    .flatMap((line) => /^\d+\. (.+)$/.exec(line)?.[1] ?? []);
  const cases = section(material, 'cases')
    .split('\n')
    .flatMap((line): ShownCase[] => {
      const [, id, title] = /^(TC-\d+): (.+)$/.exec(line) ?? [];
      return id !== undefined && title !== undefined ? [{ id, title }] : [];
    });
  return answer({ points: points.map((point, index) => judgePoint(point, index + 1, cases)) });
}

function judgePoint(point: string, number: number, cases: ShownCase[]) {
  const best = cases.map((each) => ({ ...each, share: shareOf(point, each.title) })).toSorted((a, b) => b.share - a.share)[0];
  if (best && best.share >= ENOUGH) return { point: number, caseId: best.id, quote: best.title, reason: 'The case does what the point says.', covered: true };
  return { point: number, caseId: '', quote: '', reason: 'No case has data that makes this happen.', covered: false };
}

function shareOf(point: string, title: string): number {
  if (title === point) return 1.5; // nothing is nearer
  const words = [...new Set(wordsOf(point))];
  const there = new Set(wordsOf(title));
  return words.length === 0 ? 0 : words.filter((word) => there.has(word)).length / words.length;
}

function section(material: string, name: string): string {
  const found = new RegExp(`<${name}>\\n?([\\s\\S]*?)\\n?</${name}>`).exec(material)?.[1] ?? '';
  return found.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
