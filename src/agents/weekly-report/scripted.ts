import { answer, scriptedAgent, type ScriptedReply, type ScriptedRequest } from '../../models/scripted/script.ts';
import { writeDraft } from './scripted/draft.ts';
import { judgeReply } from './scripted/judge.ts';
import { readConversation } from './scripted/view.ts';

/** The weekly-report agent's model when there is none: every reply is a function of the conversation alone. What it gets wrong on purpose is in `scripted/mistakes.ts`. */
export const weeklyReportScript = scriptedAgent({
  decide: (request) => answer({ type: 'answer', output: writeDraft(readConversation(request)), question: null, confidence: 0.9, reason: 'All that was given is in the report.' }),
  judge: judgeReply,
  compact: summarise,
});

function summarise(request: ScriptedRequest): ScriptedReply {
  const { task, corrections } = readConversation(request);
  return answer(`A weekly report (${task.language}) of ${task.workItems.length} work items. Corrections so far: ${corrections.length}.`);
}
