import { answer, scriptedAgent } from '../../models/scripted/script.ts';
import { writeCode } from './scripted/draft.ts';
import { reflectOnRun } from './scripted/reflect.ts';
import { readConversation } from './scripted/view.ts';

/** The code-repair agent's model when there is none: every reply is a function of the conversation alone. What it gets wrong at first is in `scripted/programs.ts`. */
export const codeRepairScript = scriptedAgent({
  decide: (request) => answer({ type: 'answer', output: writeCode(readConversation(request)), question: null, confidence: 0.9, reason: 'This is the code to run.' }),
  reflect: reflectOnRun,
  compact: (request) => answer(`Code for: ${readConversation(request).task.task.slice(0, 300)}`),
});
