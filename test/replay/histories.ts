/** Recorded histories of every sample case: `test/replay/histories/<agent>/<case>.bin.gz`, as Temporal's own protobuf message. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';

export type History = temporal.api.history.v1.IHistory;

const { History: Message } = temporal.api.history.v1;
const folder = new URL('./histories/', import.meta.url);
const SUFFIX = '.bin.gz';

export async function recordedCases(agent: string): Promise<string[]> {
  const files = await readdir(new URL(`${agent}/`, folder)).catch(() => []);
  return files.filter((file) => file.endsWith(SUFFIX)).map((file) => file.slice(0, -SUFFIX.length));
}

export async function readHistory(agent: string, name: string): Promise<History> {
  return Message.decode(gunzipSync(await readFile(new URL(`${agent}/${name}${SUFFIX}`, folder))));
}

export async function forgetHistories(agent: string): Promise<void> {
  await rm(new URL(`${agent}/`, folder), { recursive: true, force: true });
}

export async function writeHistory(client: Client, agent: string, name: string, taskId: string): Promise<void> {
  const history = await client.workflow.getHandle(taskId).fetchHistory();
  await mkdir(new URL(`${agent}/`, folder), { recursive: true });
  await writeFile(new URL(`${agent}/${name}${SUFFIX}`, folder), gzipSync(Message.encode(history).finish(), { level: 9 }));
}
