import { Argument, type Command } from 'commander';
import { Loopwright } from '../../client.ts';
import type { Decide } from '../../contracts/approval.ts';
import { DECIDE } from '../../contracts/names.ts';
import { DECISIONS, type DecisionKind } from '../../contracts/reasons.ts';
import { findOnPath } from '../../dev/binary/find-on-path.ts';
import { lookUp } from '../../dev/binary/binary-cache.ts';
import type { StoredApproval } from '../../store/approvals.ts';
import { shellQuote } from '../addresses.ts';
import { type Attached, storeOf, withStack } from '../attached.ts';
import { UsageError } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { createLocalSigner } from '../local-signer.ts';
import { approvalLines } from '../approval-lines.ts';
import { createOutput, type Output } from '../output.ts';
import { safe } from '../text/safe.ts';
import { visibleJson } from '../text/visible.ts';
import { currentUser } from '../user.ts';
import { parseJson } from '../values.ts';
import { processTerminal, type Terminal } from '../terminal.ts';

interface DecideOptions {
  reason: string;
  value?: string;
  by: string;
  hash?: string;
  printSignal?: boolean;
  json?: boolean;
}

export function addDecide(program: Command, terminal: Terminal = processTerminal): void {
  withExamples(
    program.command('decide <task> <approval>'),
    'decide mail-4711 a1.t2.c1 approve --reason "within the policy"',
    'decide mail-4711 a1.t2.c1 reject --reason "too late"',
    'decide mail-4711 a1.t2.c1 edit --value \'{"orderId":"A012"}\'',
    'decide mail-4711 question.1 respond --value "A012"',
    'decide mail-4711 a1.t2.c1 approve --print-signal',
  )
    .description('answer an approval: it shows what is decided, then decides it')
    .addArgument(new Argument('<decision>', 'what you decide').choices(DECISIONS))
    .option('--reason <text>', 'why; the model is told when you reject', '')
    .option('--value <value>', 'edit: the whole new arguments as JSON; respond: the answer')
    .option('--by <who>', 'who decides', currentUser())
    .option('--hash <sha256>', 'decide only if exactly this waits; default: what is shown')
    .option('--print-signal', 'decide nothing; print the signal for the Temporal UI and for the shell')
    .option('--json', 'print JSON')
    .action(async (taskId: string, approvalId: string, decision: DecisionKind, options: DecideOptions) => {
      const output = createOutput({ terminal, json: options.json });
      await withStack(terminal, async (stack) => {
        const approval = await findApproval(stack, taskId, approvalId);
        const payload = payloadOf(approval, decision, options);
        if (options.printSignal) return printSignal(output, stack, taskId, await signedForLater(stack, taskId, payload));
        if (!output.json) approvalLines(output.paint, approval).forEach((line) => output.print(line));
        const result = await stack.loopwright.task(taskId).decide(payload);
        if (output.json) output.printJson(result);
        else
          output.print(
            safe`${output.paint.green('✓')} ${approvalId} ${result.status} by ${result.decision.by}${result.repeated ? ' (it had been decided so before)' : ''}${result.needs > 0 ? `: ${result.needs} more must approve` : ''}`,
          );
      });
    });
}

/** As it was recorded, whole: what the workflow shows may be cut. */
async function findApproval(stack: Attached, taskId: string, approvalId: string): Promise<StoredApproval> {
  const store = storeOf(stack);
  const approval = await store.approvals.get(taskId, approvalId);
  if (approval) return approval;
  if (!(await store.tasks.get(taskId))) throw new Error(`There is no task ${taskId}.`);
  const pending = (await store.approvals.listByTask(taskId)).filter((each) => each.status === 'pending').map((each) => each.id);
  throw new Error(`Task ${taskId} has no approval ${approvalId}. ${pending.length > 0 ? `Waiting: ${pending.join(', ')}.` : 'None is waiting.'}`);
}

function payloadOf(approval: StoredApproval, decision: DecisionKind, { by, reason, value, hash }: DecideOptions): Decide {
  if ((decision === 'edit' || decision === 'respond') && value === undefined)
    throw new UsageError(`"${decision}" needs --value: ${decision === 'edit' ? 'the whole new arguments as JSON' : 'the answer'}.`);
  const chosen = hash ?? approval.hash;
  return {
    approvalId: approval.id,
    decision,
    by,
    reason,
    ...(chosen === null ? {} : { hash: chosen }),
    ...(value === undefined ? {} : { value: decision === 'respond' ? value : parseJson(value, '--value') }),
  };
}

/** A signal is pasted by hand, ms. */
const SIGNAL_LIFETIME_MS = 3_600_000;

function signedForLater(stack: Attached, taskId: string, payload: Decide): Promise<Decide> {
  const signer = createLocalSigner(stack.config, storeOf(stack), SIGNAL_LIFETIME_MS);
  return new Loopwright({ temporal: stack.temporal, signer }).task(taskId).signed(payload);
}

async function printSignal(output: Output, stack: Attached, taskId: string, payload: Decide): Promise<void> {
  const json = visibleJson(payload);
  const command = [await temporalCommand(stack), 'workflow', 'signal', ...targetFlags(stack), '--workflow-id', taskId, '--name', DECIDE, '--input', json].map(shellQuote).join(' ');
  if (output.json) {
    output.printJson({ payload, command });
    return;
  }
  const url = stack.urlOf(taskId);
  output.print(safe`${output.paint.bold('In the Temporal UI')}: Send a Signal → name ${DECIDE} → encoding json/plain → data:${url ? safe`  ${output.paint.dim(url)}` : ''}`);
  output.print();
  output.print(safe`${json}`);
  output.print();
  output.print(output.paint.bold('In a shell:'));
  output.print();
  output.print(safe`${command}`);
}

/** The CLI on PATH by its name, else the stack's own by its path. */
async function temporalCommand({ config }: Attached): Promise<string> {
  if (await findOnPath('temporal', process.env)) return 'temporal';
  return (await lookUp(config.cache)).path ?? 'temporal';
}

/** Another Temporal is reached by the same variables that this command was given; its key must not be printed. */
function targetFlags({ temporalTarget }: Attached): string[] {
  return temporalTarget.external ? [] : ['--address', temporalTarget.address, '--namespace', temporalTarget.namespace];
}
