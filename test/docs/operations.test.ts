/** The tables of docs/operations.md say what the code does. */
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { SEARCH_ATTRIBUTES } from '../../src/contracts/names.ts';
import { evaluationStage, modelStage, storeStage, toolStage } from '../../src/workflows/stages.ts';
import { readDocument, table } from './markdown.ts';

const PAGE = 'docs/operations.md';
const ENVIRONMENT = 'const environmentSchema = z.object({';

/** Each variable that src/environment.ts reads, with its default or `none`, from the schema's own text. A definition may go on over further-indented lines. */
function settingsOfCode(): Map<string, string> {
  const source = readDocument('src/environment.ts');
  const from = source.indexOf(ENVIRONMENT) + ENVIRONMENT.length;
  const lines = source
    .slice(from, source.indexOf('\n});', from))
    .replaceAll(/\n {4,}/g, '')
    .replaceAll(/\n {2}\}/g, '}')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return new Map(
    lines.map((line) => {
      const name = /^ {2}([A-Z][A-Z_]+):/.exec(line)?.[1];
      if (!name) throw new Error(`src/environment.ts: a line of the environment's schema names no variable: ${line}`);
      const given = /\.default\(([^)]+)\)/.exec(line)?.[1] ?? /flag\((true|false)\)/.exec(line)?.[1] ?? 'none';
      return [name, given === 'DEFAULT_TASK_QUEUE' ? loadConfig({}).taskQueue : given.replaceAll("'", '').replaceAll('_', '')];
    }),
  );
}

describe('settings', () => {
  const code = settingsOfCode();

  it('are in the table, each with its default', () => {
    expect(new Map(table(PAGE, '| variable |').map(([name, byDefault]) => [name, byDefault]))).toEqual(code);
  });

  it('are in .env.example, with nothing that is no setting', () => {
    const example = readDocument('.env.example')
      .split('\n')
      .flatMap((line) => /^#?([A-Z][A-Z_]+)=/.exec(line)?.[1] ?? []);
    const compose = new Set([...readDocument('docker-compose.yml').matchAll(/\$\{([A-Z_]+)/g)].map((match) => match[1]!));
    expect([...code.keys()].filter((name) => !example.includes(name))).toEqual([]);
    expect(example.filter((name) => !code.has(name) && !compose.has(name))).toEqual([]);
    expect([...compose].filter((name) => !example.includes(name))).toEqual([]);
  });
});

it('search attributes are in the table and in the job that registers them, with their types', () => {
  const code = Object.values(SEARCH_ATTRIBUTES)
    .map(({ name, type }) => [name, type.toLowerCase()])
    .toSorted();
  expect(
    table(PAGE, '| name | type |')
      .map(([name, type]) => [name, type!.toLowerCase()])
      .toSorted(),
  ).toEqual(code);
  const registered = [...readDocument('docker/temporal-namespace.sh').matchAll(/^register (\w+) (\w+)$/gm)].map((match) => [match[1]!, match[2]!.toLowerCase()]);
  expect(registered.toSorted()).toEqual(code);
});

it('timeouts and retries are those of the stages', () => {
  const seconds = (ms: unknown): string => `${Number(ms) / 1_000} s`;
  const pauses = ({ retry }: ReturnType<typeof storeStage>): string => `${Number(retry?.initialInterval) / 1_000} s, doubling to ${seconds(retry?.maximumInterval)}`;
  const [store, model, tool, evaluation] = [storeStage(''), modelStage(1_000, ''), toolStage(1_000, ''), evaluationStage(1_000, '')];
  const rows = table(PAGE, '| stage |');
  expect(rows.map(([, time]) => time)).toEqual([
    seconds(store.startToCloseTimeout),
    `2 × modelTimeoutMs + ${seconds(Number(model.startToCloseTimeout) - 2_000)}`,
    `2 × the tool's timeoutMs + ${seconds(Number(tool.startToCloseTimeout) - 2_000)}`,
    `the evaluators' timeoutMs + ${seconds(Number(evaluation.startToCloseTimeout) - 1_000)}`,
  ]);
  expect(rows.map(([, , tries]) => tries)).toEqual(
    [store, model, tool, evaluation].map(({ retry }) => (retry?.maximumAttempts === undefined ? 'until the store is back' : String(retry.maximumAttempts))),
  );
  expect(rows.slice(0, 3).map(([, , , pause]) => pause!.split(', or')[0])).toEqual([store, model, tool].map(pauses));
  for (const stage of [model, tool, evaluation]) expect(stage.heartbeatTimeout).toBe(10_000);
});
