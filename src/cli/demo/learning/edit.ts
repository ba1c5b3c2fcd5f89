import type { CodeRepairOutput } from '../../../agents/code-repair/schemas.ts';
import type { TaskHandle } from '../../../client.ts';
import { cut } from '../../text/format.ts';
import { lines, safe } from '../../text/safe.ts';
import { runTasks, type TaskRun } from './run-tasks.ts';
import type { LearningStack } from './stack.ts';

const EDITOR = 'demo approver';
/** For the person to write in, ms. */
const WAIT_MS = 120_000;
const LOOK_EVERY_MS = 250;
/** Of the output of a similar task: what it is, its run, and the lesson that it names. */
const SHOWN_LINES = 3;
const SHOWN_CHARS = 160;

const price = (name: string, amount: number) => ({ name, price: amount });

/** The first goes to a person; of the others, which are like it, one is enough. */
const [EDITED, ...SIMILAR] = [
  { task: 'Print the price list of the shop, one item a line.', data: [price('pen', 2), price('ink', 5.5)], expectedOutput: 'pen: 2.00\nink: 5.50' },
  { task: 'Print the price list of a bakery, a line for each article.', data: [price('roll', 0.4), price('bread', 3.5)], expectedOutput: 'roll: 0.40\nbread: 3.50' },
  { task: 'A price list of our tickets: print each on a line.', data: [price('child', 4), price('adult', 9.9)], expectedOutput: 'child: 4.00\nadult: 9.90' },
  { task: 'Print a price list for the garden fair, one plant a line.', data: [price('rose', 7.5), price('fern', 3)], expectedOutput: 'rose: 7.50\nfern: 3.00' },
].map((input) => ({ ...input, language: 'python' }));

/** As a person writes it. */
const WRITTEN: CodeRepairOutput = {
  language: 'python',
  code: "import json\nimport sys\n\nfor entry in json.load(sys.stdin):\n    print('%s: %s' % (entry['name'], f\"{entry['price']:.2f}\"))\n",
  approach: 'Amounts of money have two decimals.',
  lessons: [],
};

export interface PersonEdit {
  /** The task whose output a person wrote. */
  editedTaskId: string;
  experienceId: string | null;
  /** A similar task that recalled the edit. */
  withEdit: Told;
  /** The same task, with memory withheld. */
  withheld: Told;
}

interface Told {
  taskId: string;
  firstPassed: boolean;
  /** Experiences that were put before the model, and those that its output names. */
  recalled: string[];
  named: string[];
  outcome: string;
  text: string;
}

/** A person writes what the model could not; a similar task is right at once because of it, and not without it. */
export async function editAndRecall(stack: LearningStack): Promise<PersonEdit> {
  const { loopwright, show, suffix } = stack;
  const editedTaskId = `code-repair-edit${suffix}`;
  const handle = await loopwright.start('code-repair', EDITED as never, { taskId: editedTaskId, startedBy: 'demo', limits: { handoffWaitMs: WAIT_MS } });
  show.progress(editedTaskId, 'until a person is asked');
  await answerAsPerson(handle).finally(() => show.progress(editedTaskId, null));
  await handle.result();
  const experienceId = await experienceOf(stack, editedTaskId);
  return { editedTaskId, experienceId, ...(await compare(stack, experienceId)) };
}

async function answerAsPerson(handle: TaskHandle): Promise<void> {
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))) {
    const { approvals, phase } = await handle.state();
    if (phase === 'closed') throw new Error(`task ${handle.taskId} ended without asking a person`);
    const asked = approvals.find(({ status, kind }) => status === 'pending' && kind === 'handoff');
    if (!asked) continue;
    const { id: approvalId, hash } = asked;
    await handle.decide({ approvalId, decision: 'respond', by: EDITOR, reason: 'Prices are printed with two decimals.', value: JSON.stringify(WRITTEN), hash });
    return;
  }
  throw new Error(`task ${handle.taskId} did not ask a person in time`);
}

async function experienceOf({ store }: LearningStack, taskId: string): Promise<string | null> {
  const row = await store.database.selectFrom('experience').select('experience_id').where('task_id', '=', taskId).where('written_by', '=', EDITOR).executeTakeFirst();
  return row?.experience_id ?? null;
}

/** A small share of tasks is kept from an experience by chance: then the next one is looked at. */
async function compare(stack: LearningStack, experienceId: string | null): Promise<Pick<PersonEdit, 'withEdit' | 'withheld'>> {
  const { loopwright, show, suffix } = stack;
  const run = async (input: unknown, name: string, memory: 'used' | 'withheld'): Promise<Told> => {
    const [ended] = await runTasks(loopwright, show, name, [{ agent: 'code-repair', taskId: `code-repair-${name}${suffix}`, input, memory }], 1);
    return toldOf(ended!);
  };
  let last: { input: unknown; told: Told } | null = null;
  for (const [index, input] of SIMILAR.entries()) {
    last = { input, told: await run(input, `similar-${index + 1}`, 'used') };
    if (experienceId !== null && last.told.recalled.includes(experienceId)) break;
  }
  return { withEdit: last!.told, withheld: await run(last!.input, 'similar-withheld', 'withheld') };
}

function toldOf({ taskId, firstPassed, outcome }: TaskRun): Told {
  const { lessons = [] } = (outcome.output ?? {}) as Partial<CodeRepairOutput>;
  return { taskId, firstPassed, recalled: outcome.lessons, named: lessons, outcome: outcome.outcome, text: outcome.text };
}

export function sayEdit({ show }: LearningStack, { editedTaskId, experienceId, withEdit, withheld }: PersonEdit): void {
  show.say(safe`   ${show.paint.bold(editedTaskId)}: the model failed and a person wrote the code, kept as experience ${experienceId ?? 'none'}`);
  for (const line of lines(cut(WRITTEN.code.trimEnd(), 300), '       ')) show.say(show.paint.dim(line));
  show.say(safe`   ${show.paint.bold(withEdit.taskId)}: ${withEdit.firstPassed ? show.paint.green('right at the first attempt') : show.paint.red('wrong')}`);
  for (const line of withEdit.text.split('\n').slice(0, SHOWN_LINES)) show.say(show.paint.dim(safe`       ${cut(line, SHOWN_CHARS)}`));
  show.say(
    safe`   ${show.paint.bold(withheld.taskId)}, the same task without memory: first attempt ${withheld.firstPassed ? 'right' : show.paint.red('wrong')}, ${withheld.outcome.replaceAll('_', ' ')}`,
  );
}
