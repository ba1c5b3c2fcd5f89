/** Faults from public reports, each a test named by its id: what watchers and readers of the API are given. One gateway for all. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scriptedAgent } from '../../../src/models/scripted/script.ts';
import { defineTool } from '../../../src/tools/define-tool.ts';
import { answerWith, probeAgent } from '../../support/agents.ts';
import { until } from '../../support/loop.ts';
import { readEvents, startTestGateway, type Caller, type SentEvent, type TestGateway } from '../support.ts';

const echoed: string[] = [];
const echo = defineTool({
  name: 'echo',
  version: '1.0.0',
  releasedAt: '2026-01-01',
  description: 'Echoes.',
  input: z.strictObject({ text: z.string() }),
  output: z.object({ text: z.string() }),
  risk: 'dangerous',
  timeoutMs: 5_000,
  execute: async ({ text }) => {
    echoed.push(text);
    return { text };
  },
});

/** How the model writes its arguments: escaped, and raw. */
const WRITTEN: Record<string, { json: string; value: string }> = {
  nul: { json: String.raw`{"text":"a\u0000b"`, value: 'a\0b' },
  raw: { json: '{"text":"a\u0001b"', value: 'a\u0001b' },
};

describe.concurrent('watchers and readers', () => {
  let gateway: TestGateway;
  let alice: Caller;

  beforeAll(async () => {
    gateway = await startTestGateway({
      agents: { probe: probeAgent({ tools: [echo], limits: { approvalTimeoutMs: 300_000 } }) },
      scripts: {
        probe: scriptedAgent({
          decide: (asked) => {
            const { json } = WRITTEN[/echo (\w+)/.exec(asked.transcript())?.[1] ?? ''] ?? WRITTEN['nul']!;
            if (asked.calls().length > 0) return answerWith('good');
            return { toolCalls: [{ name: 'echo', arguments: `${json},"_decision":{"reason":"echo","confidence":1}}` }] };
          },
        }),
      },
    });
    alice = await gateway.as('alice', ['submitter', 'operator', 'approver']);
  });
  afterAll(() => gateway.stop());

  async function waiting(): Promise<string> {
    const { body } = await alice.post('/v1/tasks', { agent: 'probe', input: { task: 'echo nul' } });
    await until('the approval', async () => (await alice.get(`/v1/approvals?taskId=${body.taskId}`)).body.items[0]);
    return body.taskId;
  }

  it('UI-01 events while a stream was down come once each in order; ids of nothing give a snapshot', async () => {
    const [taskId, other] = [await waiting(), await waiting()];
    const { taskEvents } = gateway.database.store;
    const path = `/v1/tasks/${taskId}/events`;
    const happen = async (from: number, to: number): Promise<void> => {
      for (let each = from; each <= to; each += 1) await taskEvents.record(taskId, { type: 'step_done', attempt: 1, detail: { step: each } }, `step ${each}`);
    };
    const newest = (await taskEvents.last(taskId))!;
    await happen(newest + 1, newest + 3);
    const first = await readEvents(gateway.url, path, alice.key, { take: newest + 3 });
    const mark = first.at(-1)!.id!;
    expect(first.map(({ data }) => data.number)).toEqual(numbers(1, newest + 3));
    // far more than a page of what is read at once
    await happen(newest + 4, newest + 303);
    const missed = await readEvents(gateway.url, path, alice.key, { lastEventId: mark, take: 300 });
    expect(missed.map(({ data }) => data.number)).toEqual(numbers(newest + 4, newest + 303));
    expect(missed[0]).toMatchObject({
      event: 'step_done',
      id: expect.stringMatching(/^\d+-[0-9a-f]{8}$/),
      data: { detail: { step: newest + 4 }, at: expect.stringMatching(/Z$/) },
    });

    const ofOther = (await readEvents(gateway.url, `/v1/tasks/${other}/events`, alice.key, { take: 1 }))[0]!.id!;
    for (const lastEventId of ['abc', ofOther, `999999-${mark.split('-')[1]}`, '']) {
      const seen: SentEvent[] = [];
      const stop = new AbortController();
      const reading = readEvents(gateway.url, path, alice.key, { lastEventId, stop: stop.signal, onEvent: (event) => seen.push(event) });
      await until('the snapshot', () => seen[0]);
      const { body: feedback } = await alice.post(`/v1/tasks/${taskId}/feedback`, { kind: 'comment', text: `after ${lastEventId}` });
      await until('what comes after it', () => seen.find(({ data }) => data.detail?.feedbackId === feedback.feedbackId));
      stop.abort();
      await reading;
      expect(seen.map(({ event }) => event)).toEqual(['snapshot', 'feedback_given']);
      expect(seen[0]!.data).toMatchObject({ task: { taskId }, state: { taskId, phase: 'waiting_for_person' } });
    }
    // whoever has gone is read for no longer
    await until('the end of every stream', async () => {
      const { body } = await alice.get('/metrics');
      const count = (name: string) => new RegExp(`loopwright_streams_${name}_total\\{kind="task"\\} (\\d+)`).exec(body)?.[1];
      return Number(count('opened')) >= 6 && count('opened') === count('closed');
    });
    for (const each of [taskId, other]) await alice.post(`/v1/tasks/${each}/cancel`, { reason: 'seen enough' });
  });

  it.each(Object.keys(WRITTEN))('I18N-02 REST goes on with control characters in arguments (%s)', async (kind) => {
    const { value } = WRITTEN[kind]!;
    const { body: task } = await alice.post('/v1/tasks', { agent: 'probe', input: { task: `echo ${kind}` } });
    const detail = async () => (await alice.get(`/v1/tasks/${task.taskId}`)).body;
    const approval = await until(
      'the approval, or the end',
      async () => (await alice.get(`/v1/approvals?taskId=${task.taskId}`)).body.items[0] ?? ((await detail()).status === 'closed' ? 'none' : null),
    );
    if (approval !== 'none') {
      // what NUL the database can't keep it shows as U+FFFD; the hash is of what runs
      expect(JSON.parse(approval.payload).text).toBeOneOf([value, value.replace('\0', '\ufffd')]);
      const decided = await alice.post(`/v1/approvals/${task.taskId}/${approval.id}`, { decision: 'approve', hash: approval.hash });
      expect(decided.status).toBe(200);
    }
    const closed = await until('the end', async () => {
      const body = await detail();
      return body.status === 'closed' ? body : null;
    });
    const [call] = closed.view.attempts[0].turns[0].toolCalls;
    expect(call.tool).toBe('echo');
    if (call.status === 'success') expect(echoed).toContain(value);
    else expect(call.code).toMatch(/invalid_json|repaired_arguments/);
    expect((await alice.get(`/v1/tasks?q=${encodeURIComponent(`echo ${kind}`)}`)).body.items.map((each: any) => each.taskId)).toContain(task.taskId);
  });
});

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
