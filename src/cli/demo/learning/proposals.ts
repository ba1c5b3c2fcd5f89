import { cut, count } from '../../text/format.ts';
import { safe } from '../../text/safe.ts';
import type { RuleRow } from '../../../store/rules.ts';
import { REVIEWER, type LearningStack } from './stack.ts';
import type { LearningAgent } from './tasks.ts';

/** Looks at the failures of every agent; proposals that a reviewer finds worth testing go to preview. Best founded first. */
export async function learnAndReview(stack: LearningStack): Promise<Map<LearningAgent, RuleRow[]>> {
  const { size, loopwright, show } = stack;
  const summaries = await Promise.all(
    size.agents.map(async (agent) => {
      show.progress(`learn ${agent}`, 'looks at what failed');
      const run = await loopwright.learn(agent, { startedBy: REVIEWER.actor });
      return run.result().finally(() => show.progress(`learn ${agent}`, null));
    }),
  );
  const approved = new Map<LearningAgent, RuleRow[]>();
  for (const [index, agent] of size.agents.entries()) {
    const { clusters, proposed, refused } = summaries[index]!;
    show.say(safe`   ${show.paint.bold(agent)}: ${count(clusters, 'kind')} of failures, ${count(proposed.length, 'proposal')}, ${count(refused, 'refusal')}`);
    approved.set(agent, await review(stack, agent));
  }
  return approved;
}

async function review({ store, show, size }: LearningStack, agent: LearningAgent): Promise<RuleRow[]> {
  const waiting = (await store.rules.list({ agent, status: 'in_review' })).toSorted((one, other) => other.sources.length - one.sources.length);
  const approved: RuleRow[] = [];
  for (const rule of waiting) {
    const [source] = rule.sources;
    show.say(safe`     ${rule.kind.replaceAll('_', ' ')} “${cut(rule.content, 150)}”`);
    show.say(
      show.paint.dim(
        safe`       ${rule.signature ?? 'no signature'} · ${count(rule.sources.length, 'source')}${source ? safe`, as ${source.taskId}: “${cut(source.quote, 70)}”` : ''}`,
      ),
    );
    if (approved.length === size.rules || rule.kind !== 'sentence') continue;
    await store.rules.move({ ruleId: rule.ruleId, version: rule.version, to: 'preview', ...REVIEWER, reason: 'Worth testing: it says what the tasks lacked.' });
    approved.push(rule);
  }
  return approved;
}
