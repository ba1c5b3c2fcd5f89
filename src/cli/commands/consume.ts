import type { Command } from 'commander';
import { agents } from '../../agents/index.ts';
import { createShutdown, stopOnSignals } from '../../dev/shutdown.ts';
import { startConsumer } from '../../gateway/queue/consumer.ts';
import { loadQueueSettings } from '../../gateway/queue/settings.ts';
import { createLog } from '../../telemetry/log.ts';
import { storeOf, withStack } from '../attached.ts';
import { createOutput } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { safe } from '../text/safe.ts';

export function addConsume(program: Command, terminal: Terminal = processTerminal): void {
  program
    .command('consume')
    .description('take tasks from RabbitMQ (LOOPWRIGHT_QUEUE_URL) and send their results; drains on SIGTERM')
    .action(async () => {
      const settings = loadQueueSettings(terminal.environment);
      const output = createOutput({ terminal, json: true }); // stdout is not used: its log is on stderr
      await withStack(terminal, async (stack) => {
        const { config, loopwright, temporal } = stack;
        const log = createLog({ level: config.logLevel, name: 'consumer', secrets: [settings.url, new URL(settings.url).password] });
        const shutdown = createShutdown();
        stopOnSignals(
          () => shutdown.stop(),
          (line) => output.note(safe`${line}`),
        );
        const consumer = await startConsumer({ agents, loopwright, temporal, store: storeOf(stack), log }, settings);
        await shutdown.add('The consumer', () => consumer.stop());
        await consumer.ready;
        output.note(safe`Takes tasks from ${settings.queue} for ${settings.principal.subject} of ${settings.principal.tenant}. Ctrl-C or SIGTERM drains it.`);
        await new Promise<never>(() => {}); // a signal ends the process
      });
    });
}
