import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWatcher, type Watched, type Watcher } from '../../src/live/watch.ts';
import { scriptedAgent } from '../../src/models/scripted/script.ts';
import { answerWith, probeAgent } from '../support/agents.ts';
import { startLoop, type Loop } from '../support/loop.ts';

const TEXT = 'This is a good answer that takes its time. '.repeat(6);
const preview = (partial: unknown) => (partial as { text?: string } | null)?.text ?? null;

let loop: Loop;
let watcher: Watcher;
beforeAll(async () => {
  loop = await startLoop({ stream: true, agents: { probe: probeAgent() }, scripts: { probe: scriptedAgent({ decide: () => answerWith(TEXT) }) } });
  watcher = createWatcher({ databaseUrl: loop.database.url, store: loop.database.store });
}, 60_000);
afterAll(async () => {
  await watcher.close();
  await loop.stop();
});

async function watch(taskId: string, more: { preview?: typeof preview; raw?: boolean } = {}): Promise<Watched[]> {
  const all: Watched[] = [];
  for await (const each of watcher.watchTask(taskId, { after: 0, signal: AbortSignal.timeout(20_000), ...more })) all.push(each);
  return all;
}

function texts(watched: Watched[]): string[] {
  const tries: string[] = [''];
  for (const each of watched) {
    if (each.type === 'delta_reset') tries.push('');
    if (each.type === 'delta') {
      expect(each.offset).toBe(tries.at(-1)!.length);
      tries[tries.length - 1] += each.text;
    }
  }
  return tries;
}

describe('what a model writes', () => {
  it('comes to watchers while it is written, raw or as a person reads it, and is whole before the decision is told', async () => {
    loop.model.faults.push({ chunkDelayMs: 15 });
    const task = await loop.client.start('probe', { task: 'write' });
    const [raw, readable] = await Promise.all([watch(task.taskId, { raw: true }), watch(task.taskId, { preview })]);
    expect(raw.filter(({ type }) => type === 'delta').length).toBeGreaterThan(3);
    expect(JSON.parse(texts(raw)[0]!)).toMatchObject({ type: 'answer', output: { text: TEXT } });
    expect(texts(readable)).toEqual([TEXT]);
    const order = readable.map((each) => (each.type === 'event' ? each.event.type : each.type));
    expect(order.indexOf('delta')).toBeGreaterThan(order.indexOf('task_started'));
    expect(order.indexOf('delta_end')).toBe(order.indexOf('decision_made') - 1);
    expect(readable.find((each) => each.type === 'delta_end')).toMatchObject({ callKey: 'decide.a1.t1', complete: true });
    expect(order.at(-1)).toBe('task_closed');
    // the usage is the provider's own, streamed or not
    expect((await loop.database.store.modelCalls.listByTask(task.taskId))[0]).toMatchObject({ estimated: false, status: 'ok' });
    expect(await loop.database.store.streams.listOpen(task.taskId)).toEqual([]);
  });

  it('a stream that breaks ends as broken; the next try begins anew and is whole', async () => {
    loop.model.faults.push({ chunkDelayMs: 25, cutAfterChunks: 10 }, { chunkDelayMs: 15 });
    const task = await loop.client.start('probe', { task: 'break' });
    const watched = await watch(task.taskId, { raw: true });
    const [broken, whole] = texts(watched);
    expect(broken!.length).toBeGreaterThan(0);
    expect(JSON.parse(whole!)).toMatchObject({ output: { text: TEXT } });
    expect(watched.flatMap((each) => (each.type === 'delta_end' ? each.complete : []))).toEqual([false, true]);
    expect((await task.result()).outcome).toBe('passed');
  });

  it('watchers are guests: a store that takes no pieces does not hurt the call', async () => {
    const { streams } = loop.database.store;
    const { append } = streams;
    let tries = 0;
    streams.append = async () => {
      tries += 1;
      throw new Error('disk full');
    };
    try {
      loop.model.faults.push({ chunkDelayMs: 10 });
      const task = await loop.client.start('probe', { task: 'unseen' });
      expect((await task.result()).outcome).toBe('passed');
      expect(tries).toBeGreaterThan(0);
      expect((await loop.database.store.modelCalls.listByTask(task.taskId)).length).toBe(1);
    } finally {
      streams.append = append;
    }
  });
});
