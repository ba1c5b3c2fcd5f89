import { ADVICE, adviceFor } from '../../../../src/agents/code-repair/execution/advice.ts';
import { registry } from '../../../../src/agents/index.ts';
import { supportEvaluators } from '../../../../src/agents/support/evaluators.ts';
import { findOrderIds } from '../../../../src/agents/support/order-status.ts';
import { learningTasks } from '../../../../src/cli/demo/learning/tasks.ts';
import { runEvaluators } from '../../../../src/evaluation/run-evaluators.ts';
import { firstReply, lookedUp } from './prompts.ts';

/** Types of issues that the support agent has a sentence for, whatever the reply. */
const STANDING = ['missing_greeting', 'missing_closing', 'missing_order', 'invented_order', 'ungrounded_action', 'ungrounded_promise'];

/** Every sentence that learning can make of failed code. */
export function codeRepairRules(): string[] {
  const { rule } = registry['code-repair'].agent.learn!;
  const types = [...Object.keys(ADVICE), 'Refused_environment'];
  return [...new Set(types.flatMap((type) => rule({ evaluator: 'runs_right', type, message: '', evidence: null, fix: adviceFor(type).fix, subject: null }) ?? []))];
}

/** Every sentence that learning makes of what is really wrong with first drafts of the demo's tasks, and of the types that have a sentence. */
export async function supportRules(): Promise<string[]> {
  const found: string[] = [];
  const { rule } = registry.support.agent.learn!;
  for (const { input } of learningTasks('support', 1)) {
    const { message } = input as { message: string };
    const [orderId = ''] = findOrderIds(message);
    const output = firstReply({ message }, []);
    const call = { callId: 'a1.t1.c1', tool: 'get_order_status', status: 'success', arguments: { orderId }, result: lookedUp(orderId), code: null, reason: null };
    const verdicts = await runEvaluators(
      supportEvaluators.filter(({ kind }) => kind === 'rule'),
      {
        taskId: 't',
        agent: 'support',
        attempt: 1,
        input: { message, customerId: 'C100' },
        output,
        text: output.reply,
        perception: null,
        calls: [call],
        previous: null,
        correction: null,
        sandbox: null,
        emit: async () => {},
        signal: new AbortController().signal,
        judge: () => Promise.reject(new Error('no rule asks a judge')),
      },
      'support',
    );
    for (const { evaluator, issues } of verdicts)
      for (const { type, message: said, evidence = null, fix = null, subject } of issues) found.push(rule({ evaluator, type, message: said, evidence, fix, subject }) ?? '');
  }
  for (const type of STANDING) found.push(rule({ evaluator: '', type, message: '', evidence: null, fix: null, subject: null }) ?? '');
  return [...new Set(found)].filter((sentence) => sentence !== '');
}
