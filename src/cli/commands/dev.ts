import type { Command } from 'commander';
import { loadConfig } from '../../config.ts';
import { DEFAULT_TENANT } from '../../contracts/names.ts';
import { StackRunningError, type StackAddresses } from '../../dev/stack-file.ts';
import { openStore } from '../../store/store.ts';
import { withExamples } from '../examples.ts';
import { createForegroundLog, startForeground } from '../foreground.ts';
import { createOutput, type Output } from '../output.ts';
import { modelNotices, unsignedInDevelopment, unsignedNotice } from '../services.ts';
import { stackLines } from '../stack-lines.ts';
import { safe } from '../text/safe.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { ALL_ROLES, currentUser } from '../user.ts';

export function addDev(program: Command, terminal: Terminal = processTerminal): void {
  withExamples(program.command('dev'), 'dev')
    .description('start the whole stack on this machine and stay')
    .action(async () => {
      const config = loadConfig(terminal.environment);
      const output = createOutput({ terminal, piped: 'text' });
      const { log, file } = createForegroundLog(config, 'worker', output.live);
      try {
        const { stack } = await startForeground({ config, environment: terminal.environment, log, output, usualPorts: true, gateway: true, say: output.print });
        output.print();
        stackLines(output.paint, stack).forEach((line) => output.print(line));
        if (file) output.print(safe`  ${output.paint.dim('Log'.padEnd(13))}${file}`);
        for (const notice of stack.model.scripted ? [] : modelNotices(config)) output.print(safe`  ${output.paint.yellow('Note')}         ${notice}`);
        await saySignIn(output, stack);
        const unsigned = unsignedNotice(unsignedInDevelopment(config));
        if (unsigned) output.print(safe`  ${output.paint.yellow('Note')}         ${unsigned}`);
        sayHow(output);
        await new Promise<never>(() => {}); // a signal ends the process
      } catch (error) {
        if (!(error instanceof StackRunningError) || !error.running) throw error;
        output.print(safe`A stack is running already in ${config.home} (process ${error.running.owner.pid}):`);
        stackLines(output.paint, error.running).forEach((line) => output.print(line));
        await saySignIn(output, error.running);
      }
    });
}

/** A link for whoever sits here, who may do everything: but what takes two people takes another person. */
async function saySignIn({ print, paint }: Output, { gatewayUrl, databaseUrl }: StackAddresses): Promise<void> {
  if (!gatewayUrl) return;
  const store = openStore({ url: databaseUrl, poolSize: 1 });
  try {
    const user = currentUser();
    const { token } = await store.signInLinks.create({ subject: user, tenant: DEFAULT_TENANT, roles: ALL_ROLES }, { by: user, via: 'local' });
    print();
    print(safe`  ${paint.bold('Sign in')}      ${paint.cyan(`${gatewayUrl}/sign-in#${token}`)}`);
    print(safe`               ${paint.dim(`signs ${user} in, once, within 15 minutes. Another link, or another person: npm run loopwright -- sign-in --as bob --roles approver`)}`);
  } finally {
    await store.close();
  }
}

function sayHow({ print, paint }: Output): void {
  print();
  print(paint.dim('Start a task in the console and approve it in its inbox; or in another terminal:'));
  print(safe`  npm run loopwright -- run support "A002 还没发货吧？不想要了，请帮我退款"`);
  print(safe`  npm run loopwright -- approvals`);
  print(safe`  npm run loopwright -- list`);
  print();
  print(safe`Ready. ${paint.dim('Ctrl-C stops everything; tasks go on at the next start.')}`);
}
