/** A link that signs a person in to the console, once. */
import type { Command } from 'commander';
import { DEFAULT_TENANT } from '../../contracts/names.ts';
import { storeOf, withStack } from '../attached.ts';
import { withExamples } from '../examples.ts';
import { createOutput } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { time } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { ALL_ROLES, currentUser } from '../user.ts';
import { roleList, wholeNumber } from '../values.ts';

interface SignInOptions {
  as: string;
  roles: string[];
  minutes: number;
  json?: boolean;
}

export function addSignIn(program: Command, terminal: Terminal = processTerminal): void {
  const command = program
    .command('sign-in')
    .description('a one-time link that signs a person in to the console')
    .option('--as <subject>', 'who is signed in', currentUser())
    .option('--roles <roles>', 'roles and groups, separated by commas', roleList, ALL_ROLES)
    .option('--minutes <number>', 'how long the link may be used', wholeNumber, 15)
    .option('--json', 'print JSON')
    .action((options: SignInOptions) => signIn(terminal, options));
  withExamples(command, 'sign-in', 'sign-in --as carol --roles approver,finance');
}

async function signIn(terminal: Terminal, { as: subject, roles, minutes, json }: SignInOptions): Promise<void> {
  const output = createOutput({ terminal, json });
  await withStack(terminal, async (stack) => {
    if (stack.consoleUrl === null)
      throw new Error('No console is known here: start one with `npm run dev`, or set LOOPWRIGHT_GATEWAY_PUBLIC_URL to the address of the one that serves this database.');
    const { token, expiresAt } = await storeOf(stack).signInLinks.create({ subject, tenant: DEFAULT_TENANT, roles }, { by: currentUser(), via: 'local' }, minutes * 60_000);
    const url = `${stack.consoleUrl}/sign-in#${token}`;
    if (output.json) return output.printJson({ url, subject, roles, expiresAt });
    output.print(safe`${output.paint.cyan(url)}`);
    output.print(safe`Signs ${output.paint.bold(subject)} in (${roles.join(', ')}), once, until ${time(expiresAt)}.`);
  });
}
