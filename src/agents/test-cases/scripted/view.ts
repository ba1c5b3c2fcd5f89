import type { ScriptedRequest } from '../../../models/scripted/script.ts';
import { languageOf } from '../language.ts';
import { MARKS } from '../render.ts';
import { FORMATS, type Format, type TestCasesOutput } from '../schemas.ts';
import { mistakesOf, type Mistakes } from './mistakes.ts';

export interface Change {
  type: string;
  message: string;
  fix?: string;
}
export interface CorrectionView {
  change: Change[];
  keep: string[];
  /** The set that the correction is about. */ output: TestCasesOutput | null;
}

/** All that this model knows: what the conversation says, and nothing else. */
export interface View {
  requirement: string;
  points: string[];
  /** How pairs are written, where a reference runs them. */
  interface: string | null;
  format: Format;
  language: 'zh' | 'en';
  mistakes: Mistakes;
  /** Oldest first. */
  corrections: CorrectionView[];
}

export function readConversation(request: ScriptedRequest): View {
  const users = request.users();
  const task = users.find((text) => text.startsWith(MARKS.format)) ?? users[0] ?? '';
  const at = task.indexOf(`\n${MARKS.requirement}\n`);
  const head = task.slice(0, at < 0 ? 0 : at).split('\n');
  const requirement = at < 0 ? task : task.slice(at + MARKS.requirement.length + 2);
  const lineOf = (mark: string): string | null => head.find((line) => line.startsWith(`${mark} `))?.slice(mark.length + 1) ?? null;
  return {
    requirement,
    points: head.flatMap((line) => /^\d+\. (.+)$/.exec(line)?.[1] ?? []),
    interface: lineOf(MARKS.interface),
    format: FORMATS.find((format) => format === lineOf(MARKS.format)) ?? 'markdown',
    language: languageOf(requirement),
    mistakes: mistakesOf(requirement),
    corrections: users.flatMap((text) => readCorrection(text) ?? []),
  };
}

function readCorrection(text: string): CorrectionView | null {
  const json = /^<correction>([\s\S]*)<\/correction>/.exec(text)?.[1];
  if (json === undefined) return null;
  const { change, keep, best, last } = JSON.parse(json) as { change: Change[]; keep: string[]; best: { output: TestCasesOutput } | null; last?: TestCasesOutput | null };
  return { change, keep, output: last ?? best?.output ?? null };
}
