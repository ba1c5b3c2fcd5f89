import type { Cassette } from '../contracts/learning.ts';
import type { Store } from '../store/store.ts';
import type { ToolCallRow } from '../store/tool-calls.ts';
import { canonicalJson, hashText } from '../tools/canonical-json.ts';

type Recorded = Cassette['calls'][number];

/** A person's answer is part of what a task met; what the loop itself denied, it denies again. */
const DECIDED_BY_PEOPLE: readonly (string | null)[] = ['rejected', 'approval_expired'];
const ENDED: readonly string[] = ['success', 'failure', 'timeout', 'partial'];

/** The calls of a task as its ledger has them, in their order. Left out: what was not run, was cancelled, or whose end nobody knows. */
export async function recordCassette(store: Pick<Store, 'toolCalls' | 'blobs'>, taskId: string): Promise<Cassette> {
  const rows = (await store.toolCalls.listByTask(taskId)).filter(isRecordable);
  const texts = await store.blobs.getMany(rows.flatMap(({ resultHash }) => resultHash ?? []));
  return { calls: rows.flatMap((row) => recordedOf(row, texts)) };
}

/** Of the blob that a cassette is stored as; null where there is nothing to replay. */
export function cassetteHash(cassette: Cassette): string | null {
  return cassette.calls.length === 0 ? null : hashText(canonicalJson(cassette));
}

/** @returns its {@link cassetteHash} */
export async function storeCassette(store: Pick<Store, 'blobs'>, cassette: Cassette, executor?: Parameters<Store['blobs']['put']>[1]): Promise<string | null> {
  return cassette.calls.length === 0 ? null : store.blobs.put(canonicalJson(cassette), executor);
}

function isRecordable({ status, code }: ToolCallRow): boolean {
  return (ENDED.includes(status) && code !== 'cancelled') || (status === 'denied' && DECIDED_BY_PEOPLE.includes(code));
}

function recordedOf(row: ToolCallRow, texts: Map<string, string>): Recorded[] {
  const { tool, argumentsHash, status, code, reason, retryable } = row;
  if (argumentsHash === null || row.arguments === null) return [];
  const text = row.resultHash === null ? undefined : texts.get(row.resultHash);
  const result = text === undefined ? null : (JSON.parse(text) as unknown);
  return [{ tool, argumentsHash, arguments: JSON.parse(row.arguments) as unknown, status, result, code, reason, ...(retryable ? { retryable } : {}) }];
}
