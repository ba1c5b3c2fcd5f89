import type { AnyAgent } from '../agents/define-agent.ts';
import { HIDDEN_CHARACTERS } from '../contracts/hidden-characters.ts';
import type { Experience } from '../contracts/experience.ts';
import type { TaskView } from '../store/task-view.ts';
import type { Services } from './services.ts';

/** So many letters in a row, spaces apart, are no coincidence; of scripts without spaces half as many say as much. */
const RUN = 16;
const WIDE_RUN = 8;

/** Whether a text repeats what strangers wrote, word for word: a page that was fetched, a mail that was read. */
export type FromStrangers = (text: string | null) => boolean;

/**
 * Reads what the untrusted tools of a task returned. What the task's own input says besides is no stranger's.
 * @param own the task's input
 */
export async function strangersWords({ store }: Services, agent: AnyAgent, view: TaskView, own: unknown): Promise<FromStrangers> {
  const untrusted = new Set(agent.tools.filter((tool) => tool.untrusted).map((tool) => tool.name));
  const calls = view.attempts.flatMap(({ toolCalls }) => toolCalls).filter(({ tool }) => untrusted.has(tool));
  const texts = await Promise.all(calls.map(async ({ resultHash, reason }) => [reason, resultHash === null ? null : await store.blobs.get(resultHash)]));
  const strange = squeezed(
    texts
      .flat()
      .map((text) => leaves(parsed(text ?? '')))
      .join('\n'),
  );
  const ours = squeezed(leaves(own));
  return (text) => text !== null && strange !== '' && runs(squeezed(text)).some((run) => strange.includes(run) && !ours.includes(run));
}

/** What is left of an experience without the words of strangers; null when nothing was learned then. */
export function withoutStrangers(experience: Experience, fromStrangers: FromStrangers): Experience | null {
  const own = <Text extends string | null>(text: Text): Text | null => (fromStrangers(text) ? null : text);
  const { errorType, rootCause, fix, evidence } = experience;
  const left = { errorType: own(errorType), rootCause: own(rootCause), fix: own(fix), evidence: own(evidence) };
  const lost = [errorType !== left.errorType, rootCause !== left.rootCause, fix !== left.fix, evidence !== left.evidence].some(Boolean);
  if (fromStrangers(experience.situation) || (lost && left.rootCause === null && left.fix === null)) return null;
  return { ...experience, ...left };
}

function runs(text: string): string[] {
  const length = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/u.test(text) ? WIDE_RUN : RUN;
  if (text.length < length) return [];
  return Array.from({ length: text.length - length + 1 }, (_, index) => text.slice(index, index + length));
}

/** As a reader takes it: neither case, nor spaces, nor what is not seen, nor marks between words make it another text. */
function squeezed(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(HIDDEN_CHARACTERS, '')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Every text in a JSON value. */
function leaves(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(leaves).join('\n');
}
