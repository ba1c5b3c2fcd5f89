import type { Command } from 'commander';
import { loadConfig } from '../../config.ts';
import { attach } from '../../dev/attach.ts';
import { connectClient, type TemporalTarget } from '../../dev/connect.ts';
import { registerSearchAttributes } from '../../dev/search-attributes.ts';
import { createShutdown, stopOnSignals } from '../../dev/shutdown.ts';
import { createLog } from '../../telemetry/log.ts';
import { withExamples } from '../examples.ts';
import { createOutput } from '../output.ts';
import { startScriptedModel, startServicesWorker, unsignedNotice } from '../services.ts';
import { safe } from '../text/safe.ts';
import { processTerminal, type Terminal } from '../terminal.ts';

export function addWorker(program: Command, terminal: Terminal = processTerminal): void {
  withExamples(program.command('worker'), 'worker')
    .description('a worker alone, for TEMPORAL_ADDRESS and DATABASE_URL or the running stack; drains on SIGTERM')
    .action(async () => {
      const config = loadConfig(terminal.environment);
      const output = createOutput({ terminal, json: true }); // stdout is not used: its log is on stderr
      const { temporalTarget, databaseUrl, taskQueue } = await attach(config, terminal.environment);
      if (databaseUrl === null) throw new Error('A worker keeps its facts in Postgres: set DATABASE_URL beside TEMPORAL_ADDRESS.');
      const log = createLog({ level: config.logLevel, name: 'worker', secrets: [config.provider?.apiKey] });
      const unsignedDecisions = config.unsignedDecisions ?? false;
      const shutdown = createShutdown();
      stopOnSignals(
        () => shutdown.stop(),
        (line) => output.note(safe`${line}`),
      );
      try {
        if (temporalTarget.external) await prepare(temporalTarget);
        const scripted = config.provider ? null : await startScriptedModel();
        if (scripted) await shutdown.add('The scripted model', () => scripted.close());
        const worker = await startServicesWorker({
          config,
          log,
          connectionOptions: temporalTarget.connectionOptions,
          namespace: temporalTarget.namespace,
          taskQueue,
          databaseUrl,
          scriptedUrl: scripted?.url ?? null,
          unsignedDecisions,
          signsAsAnybody: false,
        });
        await shutdown.add('The worker', () => worker.stop());
        for (const notice of [...config.notices, unsignedNotice(unsignedDecisions)]) if (notice) output.note(safe`${notice}`);
        output.note(safe`Worker ready: Temporal ${temporalTarget.address}, namespace ${temporalTarget.namespace}, task queue ${taskQueue}. Ctrl-C or SIGTERM drains it.`);
        await worker.ended;
        if (shutdown.stopping) await new Promise<never>(() => {}); // the signal's handler ends the process when all has stopped
      } catch (error) {
        await shutdown.stop();
        throw error;
      }
    });
}

async function prepare(target: TemporalTarget): Promise<void> {
  const connection = await connectClient(target);
  try {
    await registerSearchAttributes(connection, target.namespace);
  } finally {
    await connection.close();
  }
}
