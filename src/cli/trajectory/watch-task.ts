import type { TaskHandle } from '../../client.ts';
import type { Outcome } from '../../contracts/outcome.ts';
import type { StoredApproval } from '../../store/approvals.ts';
import { approvalUrl } from '../addresses.ts';
import { type Attached, storeOf } from '../attached.ts';
import { createLiveArea } from '../live/live-area.ts';
import type { Output } from '../output.ts';
import { type Paint, type Safe, safe } from '../text/safe.ts';
import { LABEL_WIDTH } from './entry.ts';
import { follow } from './follow.ts';

/** Follows a task to its end on a person's terminal, or line by line; where it waits for a person it says how to decide. */
export function watchTask(stack: Attached, task: TaskHandle, output: Output): Promise<Outcome> {
  const { paint } = output;
  return follow({
    store: storeOf(stack),
    task,
    paint,
    say: output.json ? output.note : output.print,
    live: output.live ? createLiveArea(output.screen) : null,
    howToDecide: (approval) => howToDecide(paint, approval, stack.consoleUrl),
    stillThere: stack.stillThere,
  });
}

/** The command line, and the console's page where there is one. */
export function howToDecide(paint: Paint, { taskId, id, kind }: Pick<StoredApproval, 'taskId' | 'id' | 'kind'>, consoleUrl: string | null): Safe[] {
  const choice = kind === 'question' ? 'respond --value "…"' : 'approve';
  const indent = ' '.repeat(LABEL_WIDTH);
  return [
    safe`${indent}${paint.dim('decide:')} npm run loopwright -- decide ${taskId} ${id} ${choice}`,
    ...(consoleUrl === null ? [] : [safe`${indent}${paint.dim('or in the console:')} ${approvalUrl(consoleUrl, taskId, id)}`]),
  ];
}
