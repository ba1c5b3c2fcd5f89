import { answer, scriptedAgent, type ScriptedReply, type ScriptedRequest } from '../../models/scripted/script.ts';
import { writeDraft } from './scripted/draft.ts';
import { judgeReply } from './scripted/judge.ts';
import { readConversation } from './scripted/view.ts';

const SLOW_MS = 700;

/** The test-cases agent's model when there is none: every reply is a function of the conversation alone. What it gets wrong on purpose is in `scripted/mistakes.ts`. */
export const testCasesScript = scriptedAgent({ decide, judge: judgeReply, compact: summarise });

function decide(request: ScriptedRequest): ScriptedReply {
  const view = readConversation(request);
  const output = writeDraft(view);
  const reply = { type: 'answer', output, question: null, confidence: 0.9, reason: `${output.cases.length} cases for ${view.points.length} points.` };
  return answer(reply, view.mistakes.isSlow ? { delayMs: SLOW_MS } : {});
}

function summarise(request: ScriptedRequest): ScriptedReply {
  const { points, corrections } = readConversation(request);
  return answer(`Test cases for a requirement with ${points.length} coverage points. Corrections so far: ${corrections.length}.`);
}
