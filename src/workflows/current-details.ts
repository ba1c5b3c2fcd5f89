import { cutText, oneLine } from '../policy/text.ts';
import { bestOf } from './loop-state.ts';
import type { Task } from './task.ts';

/** What the Temporal UI shows of a running task: markdown lists, since tables run together there. */
export function currentDetails(task: Task): string {
  const { loop, live } = task;
  const lines = [`**${live.phase.replaceAll('_', ' ')}** — ${oneLine(live.detail, 200)}`, ''];
  lines.push(`- attempt ${loop.attempt}${live.limits ? ` of ${live.limits.maxAttempts}` : ''}, turn ${loop.turn}, ${loop.toolCalls} tool calls`);
  const used = loop.ledger.used;
  lines.push(`- ${used.inputTokens + used.outputTokens} tokens, ${(used.costMicros / 1_000_000).toFixed(4)} USD${used.estimated ? ' (estimated)' : ''}`);
  const best = bestOf(task);
  if (best) lines.push(`- ${live.restored ? 'restored' : 'best so far'}: attempt ${best.attempt}, score ${best.score}`);
  for (const attempt of loop.attempts)
    lines.push(`- attempt ${attempt.attempt}: score ${attempt.score ?? 'none'}${attempt.issues.length > 0 ? `, ${oneLine(attempt.issues.join('; '), 160)}` : ''}`);
  if (loop.plan) {
    lines.push('', `Plan ${loop.plan.version}: ${oneLine(loop.plan.goal, 160)}`, '');
    for (const step of loop.plan.steps) lines.push(`- ${loop.plan.status[step.id] ?? 'waiting'}: ${step.tool ?? 'reply'} (${oneLine(step.why, 120)})`);
  }
  const pending = live.approvals.filter((approval) => approval.status === 'pending' && !live.opening.includes(approval.id));
  for (const approval of pending) {
    lines.push('', `**Waiting for a person** — \`${approval.id}\` (${approval.kind}, ${approval.risk}), expires ${new Date(approval.expiresAt).toISOString()}`, '');
    lines.push(
      `- ${oneLine(approval.summary, 400)}`,
      `- hash: \`${approval.hash ?? 'none'}\``,
      `- payload: \`${oneLine(cutText(approval.payload, 600), 640).replaceAll('`', "'")}\``,
    );
  }
  if (live.outcome) lines.push('', `**${live.outcome.outcome}** (${live.outcome.reason}) — ${oneLine(live.outcome.explanation, 400)}`);
  return lines.join('\n');
}
