/** `loopwright` run inside the test's process, against a stack whose servers the run has already: no process is started for a command. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { inject, vi } from 'vitest';
import { agents, scripts } from '../../../src/agents/index.ts';
import { runCommand } from '../../../src/cli/run-command.ts';
import { registerLocalKey } from '../../../src/cli/local-signer.ts';
import { type Environment, loadConfig } from '../../../src/config.ts';
import { writeStack } from '../../../src/dev/stack-file.ts';
import { type Loop, startLoop } from '../../support/loop.ts';
import type { Ended } from './cli-process.ts';

export interface RunOptions {
  /** A person's terminal: text, colours unless NO_COLOR, live lines. */
  terminal?: boolean;
  environment?: Environment;
}

export interface InProcess {
  home: string;
  loop: Loop;
  environment: Environment;
  run(words: string[], options?: RunOptions): Promise<Ended>;
  /** As `run`, while it runs. */
  start(words: string[], options?: RunOptions): Running;
  /** What a program gets: the JSON of stdout. @throws with what was said when it failed */
  ask<Answer>(words: string[]): Promise<Answer>;
  stop(): Promise<void>;
}

export interface Running {
  ended: Promise<Ended>;
  stdout(): string;
  stderr(): string;
  /** Waits until it was said, on either stream. */
  until(text: string | RegExp): Promise<void>;
  /** Types on the terminal. */
  type(keys: string): void;
  /** Ends what is piped in. */
  endInput(): void;
}

export function startInProcess(words: string[], environment: Environment, { terminal = false, environment: more = {} }: RunOptions = {}): Running {
  const [stdin, stdout, stderr] = [tty(terminal), tty(terminal), tty(terminal)];
  const said = { stdout: '', stderr: '' };
  stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text;
  });
  stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
  });
  const streams = { stdin: stdin as unknown as NodeJS.ReadStream, stdout: stdout as unknown as NodeJS.WriteStream, stderr: stderr as unknown as NodeJS.WriteStream };
  const ended = runCommand(words, { ...streams, environment: { ...environment, ...more } }).then((code) => ({ code, ...said }));
  return {
    ended,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    type: (keys) => void stdin.write(keys),
    endInput: () => void Reflect.apply(PassThrough.prototype.end, stdin, []),
    async until(text) {
      const has = (whole: string): boolean => (typeof text === 'string' ? whole.includes(text) : text.test(whole));
      await vi.waitFor(
        () => {
          if (!has(said.stdout) && !has(said.stderr)) throw new Error(`"${text}" was not said: ${said.stdout}${said.stderr}`);
        },
        { timeout: 30_000, interval: 20 },
      );
    },
  };
}

/** A stream that reads and writes at once, and like the process's own can't be ended; as a terminal it can be put into raw mode. */
function tty(isTTY: boolean): PassThrough {
  return Object.assign(new PassThrough(), { end: () => undefined }, isTTY ? { isTTY, columns: 200, rows: 50, setRawMode: () => undefined } : {});
}

/** All registered agents on the run's servers, as a stack that runs in a home of its own. */
export async function startInProcessStack(): Promise<InProcess> {
  const home = await mkdtemp(join(tmpdir(), 'loopwright-cli-'));
  const loop = await startLoop({ agents, scripts, stream: true });
  await writeStack(home, {
    temporal: { address: inject('temporalAddress'), namespace: inject('temporalNamespace'), uiUrl: 'http://127.0.0.1:1' },
    databaseUrl: loop.database.url,
    scriptedUrl: loop.model.url,
    model: { writer: 'scripted-writer', judge: 'scripted-judge', scripted: true },
    taskQueue: loop.taskQueue,
    pids: { temporal: null, database: null },
  });
  const environment: Environment = { PATH: process.env['PATH'], LOOPWRIGHT_HOME: home, NO_COLOR: '1' };
  await registerLocalKey(loadConfig(environment), loop.database.store);
  const start: InProcess['start'] = (words, options) => startInProcess(words, environment, options);
  const run: InProcess['run'] = (words, options) => start(words, options).ended;
  return {
    home,
    loop,
    environment,
    start,
    run,
    async ask<Answer>(words: string[]) {
      const { code, stdout, stderr } = await run(words);
      if (code !== 0) throw new Error(`loopwright ${words.join(' ')} ended with ${code}: ${stderr}${stdout}`);
      return JSON.parse(stdout) as Answer;
    },
    async stop() {
      await loop.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
