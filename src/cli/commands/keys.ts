/** API keys: how services and scripts call the gateway. */
import type { Command } from 'commander';
import { DEFAULT_TENANT } from '../../contracts/names.ts';
import { storeOf, withStack } from '../attached.ts';
import { withExamples } from '../examples.ts';
import { createOutput } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { time } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { currentUser } from '../user.ts';
import { roleList, wholeNumber } from '../values.ts';

interface CreateOptions {
  roles: string[];
  label: string;
  days: number;
  json?: boolean;
}

export function addKeys(program: Command, terminal: Terminal = processTerminal): void {
  const keys = program.command('keys').description('API keys of services and scripts');
  const create = keys
    .command('create <subject>')
    .description('make a key; it is shown this once')
    .requiredOption('--roles <roles>', 'what it may do: roles and groups, separated by commas', roleList)
    .option('--label <text>', 'what it is for', '')
    .option('--days <number>', 'it ends after so many days', wholeNumber, 90)
    .option('--json', 'print JSON')
    .action((subject: string, options: CreateOptions) => createKey(terminal, subject, options));
  withExamples(create, 'keys create shop --roles submitter --label "web shop"');
  const list = keys
    .command('list')
    .description('all keys, newest first, without their secrets')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => listKeys(terminal, options));
  withExamples(list, 'keys list');
  const revoke = keys
    .command('revoke <key>')
    .description('end a key at once')
    .option('--json', 'print JSON')
    .action((keyId: string, options: { json?: boolean }) => revokeKey(terminal, keyId, options));
  withExamples(revoke, 'keys revoke 0f3c9a6b1d2e4f57');
}

const actor = () => ({ by: currentUser(), via: 'local' });

async function createKey(terminal: Terminal, subject: string, { roles, label, days, json }: CreateOptions): Promise<void> {
  const output = createOutput({ terminal, json });
  await withStack(terminal, async (stack) => {
    const expiresAt = Date.now() + days * 86_400_000;
    const { key, row } = await storeOf(stack).apiKeys.create({ tenant: DEFAULT_TENANT, subject, roles, label, expiresAt }, actor());
    if (output.json) return output.printJson({ ...row, key });
    output.print(safe`${key}`);
    output.note(safe`${output.paint.yellow('Keep it now:')} it is not shown again. It acts for ${subject} (${roles.join(', ')}) until ${time(expiresAt)}.`);
  });
}

async function listKeys(terminal: Terminal, { json }: { json?: boolean }): Promise<void> {
  const output = createOutput({ terminal, json });
  await withStack(terminal, async (stack) => {
    const rows = await storeOf(stack).apiKeys.list(DEFAULT_TENANT);
    if (output.json) return output.printJson(rows);
    if (rows.length === 0) return output.print(safe`No keys yet. Make one:  npm run loopwright -- keys create <subject> --roles submitter`);
    const { paint } = output;
    output.table(
      ['key', 'acts for', 'roles', 'label', 'state', 'last used', 'made by'],
      rows.map((row) => [
        paint.bold(row.keyId),
        row.subject,
        row.roles.join(', '),
        row.label,
        row.revokedAt
          ? paint.red('revoked')
          : row.expiresAt && row.expiresAt.getTime() <= Date.now()
            ? paint.yellow('expired')
            : row.expiresAt
              ? `until ${time(row.expiresAt)}`
              : 'no end',
        row.lastUsedAt ? time(row.lastUsedAt) : 'never',
        row.createdBy,
      ]),
    );
  });
}

async function revokeKey(terminal: Terminal, keyId: string, { json }: { json?: boolean }): Promise<void> {
  const output = createOutput({ terminal, json });
  await withStack(terminal, async (stack) => {
    if (!(await storeOf(stack).apiKeys.revoke(DEFAULT_TENANT, keyId, actor()))) throw new Error(`There is no live key ${keyId}. \`loopwright keys list\` names them.`);
    if (output.json) output.printJson({ keyId, revoked: true });
    else output.print(safe`${output.paint.green('✓')} ${keyId} counts for nothing any more`);
  });
}
