import { randomUUID } from 'node:crypto';
import { Argument, type Command } from 'commander';
import { FEEDBACK_KINDS, type FeedbackKind, feedbackSchema } from '../../contracts/feedback.ts';
import { rememberCorrection } from '../../retrieval/corrections.ts';
import { storeOf, withStack } from '../attached.ts';
import { UsageError } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { createOutput } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { safe } from '../text/safe.ts';
import { currentUser } from '../user.ts';
import { wholeNumber } from '../values.ts';

interface FeedbackOptions {
  value?: number;
  text?: string;
  attempt?: number;
  id?: string;
  by: string;
  json?: boolean;
}

export function addFeedback(program: Command, terminal: Terminal = processTerminal): void {
  withExamples(
    program.command('feedback <task>'),
    'feedback mail-4711 solved',
    'feedback mail-4711 rating --value 4',
    'feedback mail-4711 wrong_answer --text "the order was cancelled"',
  )
    .addArgument(new Argument('<kind>', 'what you say of it').choices(FEEDBACK_KINDS))
    .description('say how a task went; it is kept with the task, and learned from')
    .option('--value <number>', 'of a rating: 1 (bad) to 5 (good)', wholeNumber)
    .option('--text <text>', 'in words; a correction, a wrong answer and a comment need it')
    .option('--attempt <number>', 'the attempt that it is about; default: the task', wholeNumber)
    .option('--id <id>', 'the same id twice counts once; default: a new one')
    .option('--by <who>', 'who says it', currentUser())
    .option('--json', 'print JSON')
    .action((taskId: string, kind: FeedbackKind, options: FeedbackOptions) => feedback(terminal, taskId, kind, options));
}

async function feedback(terminal: Terminal, taskId: string, kind: FeedbackKind, { id, json, ...said }: FeedbackOptions): Promise<void> {
  const parsed = feedbackSchema.safeParse({ feedbackId: id ?? randomUUID(), kind, ...said });
  if (!parsed.success) throw new UsageError(parsed.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('; '));
  await withStack(terminal, async (stack) => {
    const store = storeOf(stack);
    const row = await store.feedback.record(taskId, parsed.data);
    if (!row) throw new Error(`There is no task ${taskId}.`);
    // whoever writes here is not authenticated
    const experienceId = await rememberCorrection(store, row, false);
    const output = createOutput({ terminal, json });
    if (output.json) output.printJson({ ...row, experienceId });
    else output.print(safe`${output.paint.green('✓')} ${row.kind} by ${row.by} is kept with ${taskId}`);
    if (experienceId !== null && !output.json) output.print(safe`  recalled for similar tasks as ${experienceId}, unverified until: loopwright memory verify ${experienceId}`);
  });
}
