import { answer, type ScriptedReply, type ScriptedRequest } from '../../../models/scripted/script.ts';
import { ANSWERS, POLITE } from '../evaluators/politeness.ts';
import { findOrderIds } from '../order-status.ts';
import { perceiveText } from './perception.ts';

interface Score {
  criterion: string;
  quote: string;
  reason: string;
  score: number;
}

const APOLOGY = /抱歉|对不起|不好意思|\bsorry\b|\bapologi/i;
const POLITE_WORDS = /您|感谢|理解|请|\bplease\b|\bthank|\bunderstand\b|\bsorry\b/i;

/** A judge that reads the candidate: it quotes a line and scores by what that line says, never by what the candidate says about itself. */
export function judgeReply(request: ScriptedRequest): ScriptedReply {
  const material = request.lastUser();
  const lines = section(material, 'candidate')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const task = section(material, 'task');
  return answer({ criteria: [judgeTone(lines, task), judgeRelevance(lines, task)] });
}

function judgeTone(lines: string[], task: string): Score {
  const { emotion } = perceiveText(task);
  const needsApology = emotion === 'angry' || emotion === 'upset';
  const line = lines.find((each) => (needsApology ? APOLOGY : POLITE_WORDS).test(each));
  if (line !== undefined) return { criterion: POLITE, quote: line, score: 9.5, reason: needsApology ? 'It apologises to a customer who is upset.' : 'It is polite and friendly.' };
  const [first = ''] = lines;
  return {
    criterion: POLITE,
    quote: first,
    score: first === '' ? 0 : 4,
    reason: needsApology ? 'The customer is upset and gets no apology: apologise for the trouble first.' : 'It is curt: greet and thank the customer.',
  };
}

/** The line that speaks of what the customer asked about: their order, else the first after the greeting. */
function judgeRelevance(lines: string[], task: string): Score {
  const asked = findOrderIds(task);
  const about = asked.length > 0 ? lines.find((line) => findOrderIds(line).some((id) => asked.includes(id))) : lines[1];
  if (about !== undefined) return { criterion: ANSWERS, quote: about, score: 9, reason: 'It speaks of what was asked.' };
  const [first = ''] = lines;
  return {
    criterion: ANSWERS,
    quote: first,
    score: first === '' ? 0 : 3,
    reason: asked.length > 0 ? `It says nothing about ${asked.join(', ')}: answer what was asked.` : 'There is no answer: say what was found.',
  };
}

function section(material: string, name: string): string {
  const found = new RegExp(`<${name}>\\n?([\\s\\S]*?)\\n?</${name}>`).exec(material)?.[1] ?? '';
  return found.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
