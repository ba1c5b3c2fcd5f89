import type { Command } from 'commander';
import { loadConfig } from '../../config.ts';
import { attach } from '../../dev/attach.ts';
import { createShutdown, stopOnSignals } from '../../dev/shutdown.ts';
import { migrate } from '../../store/migrate.ts';
import { openStore } from '../../store/store.ts';
import { createLog } from '../../telemetry/log.ts';
import { agentMigrations } from '../agents.ts';
import { withExamples } from '../examples.ts';
import { startServicesGateway } from '../gateway.ts';
import { createOutput } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { safe } from '../text/safe.ts';

export function addGateway(program: Command, terminal: Terminal = processTerminal): void {
  withExamples(program.command('gateway'), 'gateway')
    .description('the API and the console alone, for TEMPORAL_ADDRESS and DATABASE_URL or the running stack; where it listens: LOOPWRIGHT_GATEWAY_HOST and _PORT')
    .action(async () => {
      const config = loadConfig(terminal.environment);
      const output = createOutput({ terminal, json: true }); // stdout is not used: its log is on stderr
      const { temporalTarget, databaseUrl, taskQueue, uiUrl } = await attach(config, terminal.environment);
      if (databaseUrl === null) throw new Error('The gateway reads and writes Postgres: set DATABASE_URL beside TEMPORAL_ADDRESS.');
      const log = createLog({ level: config.logLevel, name: 'gateway' });
      const shutdown = createShutdown();
      stopOnSignals(
        () => shutdown.stop(),
        (line) => output.note(safe`${line}`),
      );
      try {
        await migrateDatabase(databaseUrl);
        const gateway = await startServicesGateway({ config, temporalTarget, taskQueue, databaseUrl, uiUrl, log, onStep: (step) => output.note(safe`${step}`) });
        await shutdown.add('The gateway', () => gateway.close());
        output.note(safe`Gateway ready: ${gateway.url}, its API ${gateway.url}/docs. Sign in: npm run loopwright -- sign-in. Ctrl-C or SIGTERM stops it.`);
        await new Promise<never>(() => {}); // a signal ends the process
      } catch (error) {
        await shutdown.stop();
        throw error;
      }
    });
}

async function migrateDatabase(url: string): Promise<void> {
  const store = openStore({ url, poolSize: 1 });
  await migrate(store.database, agentMigrations()).finally(() => store.close());
}
