/** Looks at everything that a stack rests on, and says how to put right what is wrong. */
import type { Command } from 'commander';
import { type Config, ConfigError, loadConfig } from '../../config.ts';
import { attach, type Attachment } from '../../dev/attach.ts';
import { connectClient } from '../../dev/connect.ts';
import { openStore } from '../../store/store.ts';
import { type Check, failed, looked, ok, skipped } from '../doctor/check.ts';
import { clockCheck, databaseCheck, keysCheck, migrationsCheck } from '../doctor/database.ts';
import { modelCheck } from '../doctor/model.ts';
import { temporalChecks } from '../doctor/temporal.ts';
import { nodeCheck, sandboxCheck, temporalCliCheck } from '../doctor/versions.ts';
import { Reported } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { createOutput, type Output } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { safe } from '../text/safe.ts';

export function addDoctor(program: Command, terminal: Terminal = processTerminal): void {
  const command = program
    .command('doctor')
    .description('check versions, Temporal, database, model, sandbox, clock and keys, and say how to fix each; exit code 1 when something does not work')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => doctor(terminal, options));
  withExamples(command, 'doctor', 'doctor --json');
}

async function doctor(terminal: Terminal, { json }: { json?: boolean }): Promise<void> {
  const output = createOutput({ terminal, json });
  const checks = await examine(terminal);
  const works = checks.every(({ status }) => status !== 'failed');
  if (output.json) output.printJson({ ok: works, checks });
  else print(output, checks);
  if (!works) throw new Reported();
}

async function examine({ environment }: Terminal): Promise<Check[]> {
  const node = nodeCheck();
  let config: Config;
  try {
    config = loadConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [node, ...error.problems.map(({ variable, problem, fix }) => failed('settings', `${variable} ${problem}`, `${fix}.`))];
  }
  const machine = Promise.all([temporalCliCheck(config, environment), modelCheck(config), sandboxCheck()]);
  const stack = await stackChecks(config, environment);
  return [node, ok('settings', 'every variable can be used'), ...(await machine).flat(), ...stack];
}

/** What can only be looked at where a stack runs. */
async function stackChecks(config: Config, environment: Terminal['environment']): Promise<Check[]> {
  const attached = await attach(config, environment).catch((error: Error) => error);
  if (attached instanceof Error) {
    const rest = ['temporal', 'database', 'keys', 'clock'].map((name) => skipped(name, 'no stack to look at'));
    return [failed('stack', attached.message, 'Start one with `npm run dev`, or set TEMPORAL_ADDRESS and DATABASE_URL.'), ...rest];
  }
  return (await Promise.all([temporalOf(attached), databaseOf(attached, config)])).flat();
}

function temporalOf({ temporalTarget: target, taskQueue }: Attachment): Promise<Check[]> {
  return looked('temporal', `Start Temporal at ${target.address}, or set TEMPORAL_ADDRESS to one that answers.`, async () => {
    const connection = await connectClient(target);
    try {
      return await temporalChecks({ connection, address: target.address, namespace: target.namespace, taskQueue });
    } finally {
      await connection.close();
    }
  });
}

async function databaseOf({ databaseUrl }: Attachment, config: Config): Promise<Check[]> {
  if (databaseUrl === null) return [failed('database', 'DATABASE_URL is not set beside TEMPORAL_ADDRESS', 'Set DATABASE_URL: facts, approvals and the audit are in PostgreSQL.')];
  const store = openStore({ url: databaseUrl, poolSize: 2 });
  try {
    const database = await databaseCheck(store);
    if (database.some(({ status }) => status === 'failed')) return database;
    return [...database, ...(await migrationsCheck(store)), ...(await clockCheck(store)), ...(await keysCheck(store, config))];
  } finally {
    await store.close();
  }
}

function print({ paint, print }: Output, checks: Check[]): void {
  const width = Math.max(...checks.map(({ name }) => name.length)) + 2;
  const marks = { ok: paint.green('✓'), warning: paint.yellow('!'), failed: paint.red('✗'), skipped: paint.dim('–') };
  for (const { name, status, detail, fix } of checks) {
    print(safe`${marks[status]} ${name.padEnd(width)}${status === 'skipped' ? paint.dim(detail) : detail}`);
    if (fix) print(safe`  ${' '.repeat(width)}${paint.dim('→')} ${fix}`);
  }
}
