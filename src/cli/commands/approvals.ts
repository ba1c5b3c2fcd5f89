import type { Command } from 'commander';
import type { PendingApproval } from '../../store/approvals.ts';
import { storeOf, withStack } from '../attached.ts';
import { approvalLines } from '../approval-lines.ts';
import { withExamples } from '../examples.ts';
import { openInbox } from '../inbox/inbox.ts';
import { createPrompts, isLeaving } from '../inbox/prompts.ts';
import { createOutput, type Output } from '../output.ts';
import { count } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { isInteractive, processTerminal, type Terminal } from '../terminal.ts';

export function addApprovals(program: Command, terminal: Terminal = processTerminal): void {
  const command = program
    .command('approvals')
    .description('what waits for a person; on a terminal you choose one, see exactly what it is, and decide it')
    .option('--list', 'only list them')
    .option('--json', 'print JSON')
    .action((options: { list?: boolean; json?: boolean }) => approvals(terminal, options));
  withExamples(command, 'approvals', 'approvals --list', 'approvals --json');
}

async function approvals(terminal: Terminal, { list, json }: { list?: boolean; json?: boolean }): Promise<void> {
  const output = createOutput({ terminal, json });
  await withStack(terminal, async (stack) => {
    if (!output.json && !list && isInteractive(terminal)) {
      await openInbox(stack, output, createPrompts(terminal)).catch((error: unknown) => {
        if (!isLeaving(error)) throw error;
      });
      return;
    }
    const pending = await storeOf(stack).approvals.pending();
    if (!output.json) return show(output, pending);
    output.printJson(
      pending.map((approval) => ({ ...approval, expiresAt: new Date(approval.expiresAt), createdAt: new Date(approval.createdAt), ui: stack.urlOf(approval.taskId) })),
    );
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
