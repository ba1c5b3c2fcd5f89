import { z } from 'zod';
import { readLearned, type ReadExample } from '../../../models/scripted/learned.ts';
import type { ScriptedRequest } from '../../../models/scripted/script.ts';
import { TASK_MARK } from '../render.ts';
import { LANGUAGES, codeRepairOutputSchema } from '../schemas.ts';

const taskSchema = z.object({
  task: z.string(),
  language: z.enum(LANGUAGES),
  code: z.string().optional(),
  data: z.json().optional(),
  entryPoint: z.string().nullable().optional(),
});
const correctionSchema = z.object({
  change: z.array(z.object({ type: z.string(), message: z.string(), evidence: z.string().optional() })),
  best: z.object({ output: codeRepairOutputSchema }).nullable(),
  reflection: z.object({ error_type: z.string(), fix_suggestion: z.string() }).nullable(),
});

interface ReadLesson {
  id: string;
  text: string;
}

/** All that this model knows: what the conversation says, and nothing else. */
export interface View {
  task: z.output<typeof taskSchema>;
  lessons: ReadLesson[];
  /** Rules that the prompt has. */
  sentences: string[];
  /** Few-shot pairs that the prompt has. */
  examples: ReadExample[];
  /** Oldest first. */
  corrections: z.output<typeof correctionSchema>[];
}

/** @throws when the conversation does not hold the agent's task. */
export function readConversation(request: ScriptedRequest): View {
  const users = request.users();
  const said = users.find((text) => text.startsWith(TASK_MARK));
  const { rules, examples } = readLearned(request.system());
  return {
    task: taskSchema.parse(JSON.parse(said?.slice(TASK_MARK.length) ?? 'null')),
    lessons: users.flatMap(readLessons),
    sentences: rules.map(({ text }) => text),
    examples,
    corrections: users.flatMap(readCorrection),
  };
}

function readLessons(text: string): ReadLesson[] {
  return [...text.matchAll(/<experience trust="\w+" id="([^"]+)">(.*?)<\/experience>/gs)].map(([, id = '', lesson = '']) => ({ id, text: withoutWrong(lesson) }));
}

/** Of what a person corrected, what was wrong teaches nothing. */
function withoutWrong(lesson: string): string {
  return lesson.replace(/^Wrong: .*$/gm, '');
}

function readCorrection(text: string): View['corrections'] {
  const body = /^<correction>(.*)<\/correction>/s.exec(text)?.[1];
  return body === undefined ? [] : [correctionSchema.parse(JSON.parse(body))];
}

/** Everything that the run said so far. */
export function feedbackOf({ corrections }: View): string {
  return corrections.flatMap(({ change }) => change.map(({ type, message, evidence }) => `${type}: ${message} ${evidence ?? ''}`)).join('\n');
}
