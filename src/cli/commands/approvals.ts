import type { Command } from 'commander';
import type { PendingApproval } from '../../store/approvals.ts';
import { storeOf, withStack } from '../attached.ts';
import { createOutput, type Output } from '../output.ts';
import { count, duration, time } from '../text/format.ts';
import { type Paint, type Safe, safe } from '../text/safe.ts';
import { processTerminal, type Terminal } from '../terminal.ts';

export function addApprovals(program: Command, terminal: Terminal = processTerminal): void {
  program
    .command('approvals')
    .description('what waits for a person')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const output = createOutput({ terminal, json: options.json });
      await withStack(terminal, async (stack) => {
        const pending = await storeOf(stack).approvals.pending();
        if (output.json)
          output.printJson(
            pending.map((approval) => ({ ...approval, expiresAt: new Date(approval.expiresAt), createdAt: new Date(approval.createdAt), ui: stack.urlOf(approval.taskId) })),
          );
        else show(output, pending);
      });
    });
}

function show(output: Output, pending: PendingApproval[]): void {
  if (pending.length === 0) {
    output.print(safe`Nothing waits for a person.`);
    return;
  }
  for (const approval of pending) {
    approvalLines(output.paint, approval).forEach((line) => output.print(line));
    const how = approval.kind === 'question' ? 'respond --value "…"' : 'approve';
    output.print(safe`  ${output.paint.dim('decide')}    npm run loopwright -- decide ${approval.taskId} ${approval.id} ${how}`);
    output.print();
  }
  output.print(output.paint.dim(`${count(pending.length, 'approval')} waiting`));
}

/** What an approver must see: which task, what exactly, how dangerous, until when. */
export function approvalLines(paint: Paint, approval: Omit<PendingApproval, 'agent'>): Safe[] {
  const risk = approval.risk === 'dangerous' ? paint.red(approval.risk) : approval.risk === 'write' ? paint.yellow(approval.risk) : paint.green(approval.risk);
  const left = approval.expiresAt - Date.now();
  const row = (label: string, text: Safe): Safe => safe`  ${paint.dim(label.padEnd(9))} ${text}`;
  return [
    safe`${paint.bold(approval.id)} of ${paint.bold(approval.taskId)} · ${approval.kind.replace('_', ' ')}${approval.tool ? safe` ${paint.cyan(approval.tool)}` : ''} · risk ${risk}`,
    row('why', safe`${approval.summary}`),
    row('exactly', safe`${approval.payload}`),
    ...(approval.hash === null ? [] : [row('hash', safe`${approval.hash}`)]),
    approval.status !== 'pending'
      ? row('status', safe`${approval.status}${approval.decision ? ` by ${approval.decision.by}, ${time(approval.decision.at)}` : ''}`)
      : row(
          'time left',
          left > 0 ? safe`${duration(left)}, until ${time(approval.expiresAt)}; then ${approval.onTimeout}` : safe`${paint.red('none')}: it expired at ${time(approval.expiresAt)}`,
        ),
  ];
}
