import type { ExposureKind } from '../contracts/reasons.ts';
import type { Snapshot } from '../contracts/snapshot.ts';
import { putAttemptContext, type Exposed } from '../store/attempt-context.ts';
import type { Executor } from '../store/database.ts';
import type { Services } from './services.ts';

/** Kinds whose ids mean something where an output names them; a tool's name may stand in any text. */
const CITABLE: ReadonlySet<ExposureKind> = new Set(['rule', 'experience', 'chunk']);

/**
 * Writes what an attempt was exposed to: what the snapshot says (rules, prompt and tool versions), and the experiences and chunks that were recalled for the task.
 * @param output the attempt's output as JSON text; null: it has none
 */
export async function recordExposure(
  services: Pick<Services, 'store'>,
  { taskId, attempt }: { taskId: string; attempt: number },
  { exposure }: Snapshot,
  output: string | null,
  transaction: Executor,
): Promise<void> {
  const fromSnapshot = (exposure ?? []).map((each) => ({ ...each, rank: null, score: null }));
  const all = [...fromSnapshot, ...(await recalled(services, taskId, transaction))];
  const exposed = all.map((each): Exposed => ({ ...each, cited: CITABLE.has(each.kind) && (output?.includes(each.id) ?? false) }));
  // of one thing there is one row, also where it came by two ways
  await putAttemptContext(transaction, taskId, attempt, [...new Map(exposed.map((each) => [`${each.kind} ${each.id}`, each])).values()]);
}

/** Experiences and chunks as they were recalled, best first; also those that were left out by chance. */
async function recalled({ store }: Pick<Services, 'store'>, taskId: string, transaction: Executor): Promise<Omit<Exposed, 'cited'>[]> {
  const events = await store.taskEvents.listOfAgent(taskId, transaction);
  return events.flatMap(({ type, detail }, index) => {
    const kind = RECALLED[type];
    const id = kind === 'chunk' ? detail['chunkId'] : detail['experienceId'];
    if (kind === undefined || typeof id !== 'string') return [];
    const whole = (field: unknown): number | null => (typeof field === 'number' && Number.isInteger(field) ? field : null);
    return {
      kind,
      id,
      version: whole(detail['version']) ?? 1,
      arm: type === 'lesson_left_out' ? 'left_out' : 'live',
      rank: whole(detail['rank']) ?? index + 1,
      score: typeof detail['score'] === 'number' ? detail['score'] : null,
    };
  });
}

/** Events of `recall`. */
const RECALLED: Record<string, ExposureKind | undefined> = { lesson_used: 'experience', lesson_left_out: 'experience', knowledge_used: 'chunk' };
