/** Keys that decisions are signed with: their public halves in the store, the secret ones in this machine's keyring. */
import { type Command, Option } from 'commander';
import { DEFAULT_TENANT } from '../../contracts/names.ts';
import { openKeyring, publicHalf } from '../../identity/keyring.ts';
import { type Attached, storeOf, withStack } from '../attached.ts';
import { withExamples } from '../examples.ts';
import { createOutput } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { time } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { currentUser } from '../user.ts';
import { roleList } from '../values.ts';

interface RotateOptions {
  owner: string;
  for?: string;
  roles?: string[];
  json?: boolean;
}

export function addSigningKeys(program: Command, terminal: Terminal = processTerminal): void {
  const keys = program.command('signing-keys').description('keys that decisions are signed with');
  const list = keys
    .command('list')
    .description('all that tasks may know, newest first, and which of them this machine holds')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => listKeys(terminal, options));
  withExamples(list, 'signing-keys list');
  const rotate = keys
    .command('rotate')
    .description('make a new key that signs from now on; tasks that began before keep the old one')
    .addOption(new Option('--owner <owner>', 'who signs with it').choices(['cli', 'gateway']).default('cli'))
    .option('--for <subject>', 'it speaks for this person alone; default: for everybody whom its owner vouches for')
    .option('--roles <roles>', 'the most that it may claim, separated by commas; default: any', roleList)
    .option('--json', 'print JSON')
    .action((options: RotateOptions) => rotateKey(terminal, options));
  withExamples(rotate, 'signing-keys rotate', 'signing-keys rotate --owner gateway', 'signing-keys rotate --for carol --roles approver,finance');
  const revoke = keys
    .command('revoke <key>')
    .description('its signatures count for nothing from now on, in running tasks too')
    .requiredOption('--reason <text>', 'why; it is kept in the audit')
    .option('--json', 'print JSON')
    .action((keyId: string, options: { reason: string; json?: boolean }) => revokeKey(terminal, keyId, options));
  withExamples(revoke, 'signing-keys revoke cli-4f1c22a09b7de810 --reason "laptop lost"');
}

async function listKeys(terminal: Terminal, { json }: { json?: boolean }): Promise<void> {
  const output = createOutput({ terminal, json });
  await withStack(terminal, async (stack) => {
    const held = new Set((await (await openKeyring(stack.config.keys)).list()).map(({ keyId }) => keyId));
    const rows = (await storeOf(stack).signingKeys.list()).map((row) => ({ ...row, here: held.has(row.keyId) }));
    if (output.json) return output.printJson(rows);
    const { paint } = output;
    output.table(
      ['key', 'speaks for', 'may claim', 'state', 'held here', 'registered'],
      rows.map((row) => [
        paint.bold(row.keyId),
        row.subject ?? 'whom its owner vouches for',
        row.roles?.join(', ') ?? 'any role',
        row.revokedAt ? paint.red(`revoked ${time(row.revokedAt)}`) : row.retiredAt ? paint.dim('retired: a newer one signs') : paint.green('live'),
        row.here ? 'yes' : 'no',
        time(row.createdAt),
      ]),
    );
  });
}

async function rotateKey(terminal: Terminal, { owner, for: subject, roles, json }: RotateOptions): Promise<void> {
  const output = createOutput({ terminal, json });
  await withStack(terminal, async (stack) => {
    const store = storeOf(stack);
    const keyring = await openKeyring(stack.config.keys);
    const sameOwner = (await keyring.list()).filter((key) => key.owner === owner && key.subject === (subject ?? null));
    const key = await keyring.rotate(owner, { ...(subject ? { subject } : {}), ...(roles ? { roles } : {}) });
    await store.transaction(async (transaction) => {
      await store.signingKeys.put(publicHalf(key), transaction);
      const retired: string[] = [];
      for (const { keyId } of sameOwner) if (await store.signingKeys.retire(keyId, transaction)) retired.push(keyId);
      await store.audit.append(entryOf('signing_key.rotated', key.keyId, { ...publicHalf(key), retired }), transaction);
    });
    if (output.json) output.printJson(publicHalf(key));
    else output.print(safe`${output.paint.green('✓')} ${output.paint.bold(key.keyId)} signs for tasks that start from now on${subject ? ` when ${subject} decides` : ''}`);
  });
}

async function revokeKey(terminal: Terminal, keyId: string, { reason, json }: { reason: string; json?: boolean }): Promise<void> {
  const output = createOutput({ terminal, json });
  await withStack(terminal, async (stack: Attached) => {
    const store = storeOf(stack);
    const revoked = await store.transaction(async (transaction) => {
      if (!(await store.signingKeys.revoke(keyId, transaction))) return false;
      return store.audit.append(entryOf('signing_key.revoked', keyId, { reason }), transaction);
    });
    if (!revoked) throw new Error(`There is no live signing key ${keyId}. \`loopwright signing-keys list\` names them.`);
    if (output.json) output.printJson({ keyId, revoked: true });
    else output.print(safe`${output.paint.green('✓')} what ${keyId} signed counts for nothing any more. Make a new one:  npm run loopwright -- signing-keys rotate`);
  });
}

function entryOf(action: string, keyId: string, after: unknown) {
  return { tenant: DEFAULT_TENANT, key: `${action}/${keyId}`, actor: currentUser(), actorVia: 'local', action, target: keyId, after };
}
