/** The API's description is valid, and a client that is generated from it compiles and does what a service does. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scriptedAgent } from '../../src/models/scripted/script.ts';
import { answerWith, callTool, probeAgent, readNote } from '../support/agents.ts';
import { readEvents, startTestGateway, type Caller, type TestGateway } from './support.ts';

const HAPPY_PATH = `
import createClient from 'openapi-fetch';
import type { paths } from './api.ts';

interface SentEvent { id: string | null; event: string }

/** Starts a task, watches it, approves what it asks, and reads its result. */
export async function happyPath(baseUrl: string, key: string, watch: (path: string) => Promise<SentEvent[]>) {
  const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${key}\` } });
  const started = await client.POST('/v1/tasks', {
    params: { header: { 'idempotency-key': 'typed-client' } },
    body: { agent: 'probe', input: { task: 'note' }, limits: { maxAttempts: 2 } },
  });
  if (!started.data) throw new Error(started.error.detail);
  const { taskId } = started.data;
  const events = watch(\`/v1/tasks/\${taskId}/events\`);
  for (;;) {
    const { data } = await client.GET('/v1/approvals', { params: { query: { status: 'pending', taskId } } });
    const approval = data?.items[0];
    if (!approval) continue;
    const answer = await client.POST('/v1/approvals/{taskId}/{approvalId}', {
      params: { path: { taskId, approvalId: approval.id } },
      body: { decision: 'approve', hash: approval.hash, reason: 'by a typed client' },
    });
    if (answer.error) throw new Error(answer.error.code);
    const by: string = answer.data.decision.by;
    const types = (await events).map(({ event }) => event);
    const { data: task } = await client.GET('/v1/tasks/{taskId}', { params: { path: { taskId } } });
    const score: number | null | undefined = task?.result?.score;
    return { by, types, outcome: task?.outcome, score };
  }
}
`;

describe('the description of the API', () => {
  let gateway: TestGateway;
  let alice: Caller;
  let folder: string;
  let document: any;

  beforeAll(async () => {
    gateway = await startTestGateway({
      agents: { probe: probeAgent({ tools: [readNote], approvals: { read: 'one', write: 'one', dangerous: 'one' } }) },
      scripts: { probe: scriptedAgent({ decide: (asked) => (asked.calls().length === 0 ? callTool('read_note', { name: 'one' }) : answerWith('good')) }) },
    });
    alice = await gateway.as('alice', ['submitter', 'operator', 'approver']);
    // inside the repository, so that the generated client finds its library
    const output = fileURLToPath(new URL('../../test-output', import.meta.url));
    await mkdir(output, { recursive: true });
    folder = await mkdtemp(join(output, 'client-'));
    document = await (await fetch(`${gateway.url}/openapi.json`)).json();
  });
  afterAll(async () => {
    await gateway.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is valid OpenAPI 3.1 and names every route', async () => {
    expect(document.openapi).toBe('3.1.0');
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
    const operations = Object.entries<Record<string, any>>(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
    );
    expect(operations.length).toBeGreaterThan(30);
    for (const { name, operation } of operations) {
      expect([name, typeof operation.summary, operation.tags?.length]).toEqual([name, 'string', 1]);
      expect([name, Object.keys(operation.responses)]).toEqual([name, expect.arrayContaining(['default'])]);
    }
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(['TaskEvent', 'Delta', 'DeltaEnd', 'Snapshot', 'Change', 'Problem']));
    // a name that a schema refers to is null where the answer may be
    expect(document.components.schemas.Approval.properties.decision.anyOf).toContainEqual({ type: 'null' });
  });

  it('makes a typed client that compiles and runs the happy path', async () => {
    await writeFile(join(folder, 'api.ts'), astToString(await openapiTS(document)));
    await writeFile(join(folder, 'happy-path.ts'), HAPPY_PATH);
    // that the types are strict is seen by what does not compile
    await writeFile(join(folder, 'wrong.ts'), HAPPY_PATH.replace("agent: 'probe', input", "agnet: 'probe', input").replace('answer.data.decision.by', 'answer.data.decision.who'));
    const problems = problemsOf(join(folder, 'happy-path.ts'), join(folder, 'wrong.ts'));
    expect(problems.filter(({ file }) => !file.endsWith('wrong.ts'))).toEqual([]);
    expect(problems.map(({ text }) => text).join('\n')).toMatch(/agnet[\s\S]*who/);
    const { happyPath } = (await import(join(folder, 'happy-path.ts'))) as { happyPath: (...args: unknown[]) => Promise<Record<string, unknown>> };
    const done = await happyPath(gateway.url, alice.key, (path: string) => readEvents(gateway.url, path, alice.key));
    expect(done).toMatchObject({
      by: 'alice',
      outcome: 'passed',
      score: 100,
      types: expect.arrayContaining(['task_started', 'approval_opened', 'approval_decided', 'task_closed']),
    });
  });

  it('has a page of its own files under the same policy', async () => {
    const page = await fetch(`${gateway.url}/docs`);
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self';/);
    const html = await page.text();
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
    expect(files.length).toBe(3);
    for (const file of files) expect([file, (await fetch(`${gateway.url}${file}`)).status]).toEqual([file, 200]);
    expect(html).not.toMatch(/<script>|style=|https?:/);
    expect((await fetch(`${gateway.url}/docs/index.js`)).status).toBe(404);
  });
});

function problemsOf(...files: string[]): { file: string; text: string }[] {
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    skipLibCheck: true,
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => ({ file: file?.fileName ?? '', text: ts.flattenDiagnosticMessageText(messageText, '\n') }));
}
