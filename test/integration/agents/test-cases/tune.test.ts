/** A running task is tuned from the command line; the next request to the model obeys. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { AnyAgent } from '../../../../src/agents/define-agent.ts';
import { testCasesAgent } from '../../../../src/agents/test-cases/agent.ts';
import { testCasesScript } from '../../../../src/agents/test-cases/scripted.ts';
import { startScriptedServer, type ScriptedServer } from '../../../../src/models/scripted/server.ts';
import { startLoop, type Loop } from '../../../support/loop.ts';
import { caseOf } from '../../../support/play-case.ts';
import { environmentFor } from '../../cli/cli-process.ts';
import { startInProcess } from '../../cli/in-process.ts';

let model: ScriptedServer;
let gate: Awaited<ReturnType<typeof startGate>>;
let loop: Loop;
let home: string;
beforeAll(async () => {
  model = await startScriptedServer({ agents: { 'test-cases': testCasesScript } });
  gate = await startGate(model.url);
  loop = await startLoop({ agents: { 'test-cases': testCasesAgent as AnyAgent }, scripts: {}, baseURL: gate.url });
  home = await mkdtemp(join(tmpdir(), 'loopwright-tune-'));
});
afterAll(async () => {
  await loop?.stop();
  await gate?.close();
  await model?.close();
  await rm(home, { recursive: true, force: true });
});

interface Gate {
  url: string;
  /** Resolves when a request waits. */ reached: Promise<void>;
  open: () => void;
  close: () => Promise<void>;
}

/** In front of the model: holds the first request until it is opened, so that the task is surely running. */
async function startGate(target: string): Promise<Gate> {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const server: Server = createServer((request, response) => {
    void (async () => {
      const body = await textOf(request);
      reached.resolve();
      await opened.promise;
      const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => /^(content-type|authorization|idempotency-key|x-)/.test(name))) as Record<
        string,
        string
      >;
      const answer = await fetch(target.replace(/\/v1$/, '') + request.url, { method: 'POST', headers, body });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' }).end(await answer.text());
    })();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    reached: reached.promise,
    open: opened.resolve,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

it('the next HTTP request shows the new temperature and token limit, and the change is on record', async () => {
  const sample = caseOf('test-cases', 'improves-to-pass');
  const task = await loop.client.start('test-cases', sample.input);
  await gate.reached;
  const environment = environmentFor(home, {
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    TEMPORAL_NAMESPACE: inject('temporalNamespace'),
    DATABASE_URL: loop.database.url,
    LOOPWRIGHT_TASK_QUEUE: loop.taskQueue,
  });

  const outside = await startInProcess(['tune', task.taskId, 'temperature=0.9', '--by', 'ann'], environment).ended;
  expect(outside).toMatchObject({ code: 1, stderr: expect.stringContaining('"temperature" is 0.9; it must be from 0.2 to 0.7') });
  const tuned = await startInProcess(['tune', task.taskId, 'temperature=0.65', 'maxTokens=5000', 'maxAttempts=4', '--by', 'ann', '--json'], environment).ended;
  expect(tuned, tuned.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('"changes":3') });

  gate.open();
  const outcome = await task.result();
  expect(outcome).toMatchObject({ outcome: 'passed', convergenceRound: 3, oscillated: false });
  const [first, ...later] = model.requests
    .filter(({ stage }) => stage === 'decide')
    .map(({ body }) => body as { temperature: number; max_completion_tokens?: number; max_tokens?: number });
  const tokensOf = (body: typeof first): number | undefined => body?.max_completion_tokens ?? body?.max_tokens;
  expect([first?.temperature, tokensOf(first)]).toEqual([0.4, 8_000]);
  expect(later.map((body) => [body.temperature, tokensOf(body)])).toEqual([
    [0.65, 5_000],
    [0.65, 5_000],
  ]);
  const changes = await loop.database.store.tuneChanges.listByTask(task.taskId);
  expect(changes.map(({ field, from, to, by }) => [field, from, to, by])).toEqual(
    expect.arrayContaining([
      ['temperature', 0.4, 0.65, 'ann'],
      ['maxTokens', 8_000, 5_000, 'ann'],
      ['maxAttempts', 5, 4, 'ann'],
    ]),
  );
});

it("a start outside the agent's own ranges is refused", async () => {
  gate.open();
  const sample = caseOf('test-cases', 'gherkin-zh');
  const task = await loop.client.start('test-cases', sample.input, { parameters: { temperature: 1.2 } });
  expect(await task.result()).toMatchObject({
    outcome: 'failed',
    reason: 'invalid_input',
    explanation: expect.stringContaining('"temperature" is 1.2; it must be from 0.2 to 0.7'),
  });
});

it("the passing score of the input is the task's", async () => {
  gate.open();
  const sample = caseOf('test-cases', 'gherkin-zh');
  const task = await loop.client.start('test-cases', { ...(sample.input as object), passScore: 55 });
  await task.result();
  expect((await loop.database.store.tasks.get(task.taskId))?.snapshot?.limits).toMatchObject({ passScore: 55, maxAttempts: 5, modelTimeoutMs: 45_000, evalInterval: 1 });
});
