import type { ExposureKind } from '../contracts/reasons.ts';
import type { Snapshot } from '../contracts/snapshot.ts';
import { putAttemptContext, type Exposed } from '../store/attempt-context.ts';
import type { Executor } from '../store/database.ts';
import type { Services } from './services.ts';

/** Kinds whose ids mean something where an output names them; a tool's name may stand in any text. */
const CITABLE: ReadonlySet<ExposureKind> = new Set(['rule', 'experience', 'chunk']);

/**
 * Writes what an attempt was exposed to: what the snapshot says (rules, prompt and tool versions), and the experiences that were recalled for the task.
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

/** Lessons as they were recalled, best first. */
async function recalled({ store }: Pick<Services, 'store'>, taskId: string, transaction: Executor): Promise<Omit<Exposed, 'cited'>[]> {
  const events = (await store.taskEvents.listOfAgent(taskId, transaction)).filter(({ type, detail }) => type === 'lesson_used' && typeof detail['experienceId'] === 'string');
  return events.map(({ detail }, index) => ({
    kind: 'experience',
    id: String(detail['experienceId']),
    version: 1,
    arm: 'live',
    rank: typeof detail['rank'] === 'number' ? detail['rank'] : index + 1,
    score: typeof detail['score'] === 'number' ? detail['score'] : null,
  }));
}
