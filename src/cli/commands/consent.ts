/** What a tenant allows to be done with its data. */
import { type Command, Option } from 'commander';
import { DEFAULT_TENANT } from '../../contracts/names.ts';
import { CONSENT_PURPOSES, type ConsentPurpose } from '../../store/consents.ts';
import { storeOf, withStack } from '../attached.ts';
import { withExamples } from '../examples.ts';
import { createOutput } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { time } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { currentUser } from '../user.ts';

interface ConsentOptions {
  tenant: string;
  purpose: ConsentPurpose;
  by?: string;
  json?: boolean;
}

export function addConsent(program: Command, terminal: Terminal = processTerminal): void {
  const consent = program.command('consent').description('what a tenant allows to be done with its data');
  const common = (name: string, description: string): Command =>
    consent
      .command(name)
      .description(description)
      .option('--tenant <name>', 'whose data', DEFAULT_TENANT)
      .addOption(new Option('--purpose <purpose>', 'what for').choices([...CONSENT_PURPOSES]).default('fine_tuning'))
      .option('--json', 'print JSON');
  const grant = common('grant', 'record that it is allowed')
    .option('--by <name>', 'who allowed it; default: you')
    .action((options: ConsentOptions) => change(terminal, 'grant', options));
  withExamples(grant, 'consent grant --tenant acme --by dana@acme');
  const revoke = common('revoke', 'record that it is allowed no longer')
    .option('--by <name>', 'who withdrew it; default: you')
    .action((options: ConsentOptions) => change(terminal, 'revoke', options));
  withExamples(revoke, 'consent revoke --tenant acme');
  withExamples(
    common('show', 'what was allowed, and when').action((options: ConsentOptions) => show(terminal, options)),
    'consent show --tenant acme',
  );
}

async function change(terminal: Terminal, verb: 'grant' | 'revoke', { tenant, purpose, by, json }: ConsentOptions): Promise<void> {
  await withStack(terminal, async (stack) => {
    const changed = await storeOf(stack).consents[verb](tenant, purpose, { by: by ?? currentUser(), via: 'local' });
    const output = createOutput({ terminal, json });
    if (output.json) return output.printJson({ tenant, purpose, [verb === 'grant' ? 'granted' : 'revoked']: changed });
    const words = purpose.replaceAll('_', ' ');
    if (verb === 'grant') output.print(changed ? safe`${tenant} allows ${words} with its data.` : safe`${tenant} allows ${words} already.`);
    else output.print(changed ? safe`${tenant} allows ${words} no longer. What was exported before is not called back.` : safe`${tenant} did not allow ${words}.`);
  });
}

async function show(terminal: Terminal, { tenant, json }: ConsentOptions): Promise<void> {
  await withStack(terminal, async (stack) => {
    const rows = await storeOf(stack).consents.history(tenant);
    const output = createOutput({ terminal, json });
    if (output.json) return output.printJson(rows);
    if (rows.length === 0) return output.print(safe`${tenant} has allowed nothing.`);
    output.table(
      ['purpose', 'granted', 'by', 'withdrawn', 'by'],
      rows.map((row) => [row.purpose, time(row.grantedAt), row.grantedBy, row.revokedAt ? time(row.revokedAt) : '–', row.revokedBy ?? '–']),
    );
  });
}
