import type { Execution } from '../../../../src/sandbox/driver.ts';
import type { SandboxLimits } from '../../../../src/sandbox/limits.ts';
import type { Language } from '../../../../src/sandbox/run.ts';

/** What there is to reach on the host while the attacks run. */
export interface World {
  /** In the runner's environment and in `secretFile`. Never printed by a program that is held. */
  secret: string;
  secretFile: string;
  home: string;
  repository: string;
  runnerPid: number;
  tcpPort: number;
  udpPort: number;
  /** In the command line of every process that is meant to outlive its run. */
  marker: string;
  unixSocket: string;
}

export interface Attack {
  name: string;
  language: Language;
  /** Prints a line with BLOCKED for each thing that failed and one with ESCAPED for each that worked. */
  code: string;
  limits?: Partial<SandboxLimits>;
  abortAfterMs?: number;
  stdin?: string;
  /** How it must end; `ok` when nothing is said. */
  ends?: Execution['status'][];
  /** No line is expected: the end says it all. */
  silent?: boolean;
  /** Whether it got to its point. If not, the machine was busy, and it is run again with five times the time. */
  started?: (execution: Execution) => boolean;
  /** More to hold, as a sentence on what is wrong; null when nothing is. */
  problem?: (execution: Execution) => string | null;
}

/** What is wrong with how an attack ended; null when it was held. */
export function breach(attack: Attack, execution: Execution, world: World): string | null {
  const text = `${execution.stdout}\n${execution.stderr}`;
  if (text.includes(world.secret)) return 'the secret was printed';
  const escaped = /^.*ESCAPED.*$/m.exec(text)?.[0];
  if (escaped) return escaped.slice(0, 300);
  if (!(attack.ends ?? ['ok']).includes(execution.status)) return `it ended with ${execution.status}: ${text.trim().slice(-300)}`;
  if (!attack.silent && !text.includes('BLOCKED')) return `it did not reach its end: ${text.trim().slice(-300)}`;
  if (attack.started?.(execution) === false) return 'it was not started';
  return attack.problem?.(execution) ?? null;
}

/** One line on how it ended. */
export function ending(execution: Execution): string {
  const lines = `${execution.stdout}\n${execution.stderr}`.split('\n').filter((line) => line.includes('BLOCKED'));
  const last = lines.at(-1) ?? execution.stderr.split('\n').findLast((line) => /^(?:Ended by|\w*Error|# Fatal|FATAL|Uncaught)/.test(line)) ?? '';
  const more = lines.length > 1 ? ` (and ${lines.length - 1} more)` : '';
  // oxlint-disable-next-line no-control-regex
  return `${execution.status} in ${execution.durationMs} ms${last ? '; ' : ''}${last.replace(/[^\x20-\x7e]/g, '?').slice(0, 90)}${more}`;
}
