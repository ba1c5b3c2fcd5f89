import { z } from 'zod';
import type { ScriptedRequest } from '../../../models/scripted/script.ts';
import { metricsIn } from '../metrics.ts';
import { TASK_MARK } from '../render.ts';
import { weeklyReportInputSchema, weeklyReportOutputSchema } from '../schemas.ts';
import type { Metric } from '../wording.ts';
import { mistakesOf, type Mistakes } from './mistakes.ts';

const taskSchema = weeklyReportInputSchema
  .pick({ language: true, workItems: true })
  .extend({ week: z.string().nullable(), audience: z.string().nullable(), metrics: weeklyReportInputSchema.shape.metrics.unwrap() });
const correctionSchema = z.object({
  change: z.array(z.object({ type: z.string(), message: z.string() })),
  best: z.object({ score: z.number(), output: weeklyReportOutputSchema }).nullable(),
});
export type ReadCorrection = z.output<typeof correctionSchema>;

/** All that this model knows: what the conversation says, and nothing else. */
export interface View {
  task: z.output<typeof taskSchema>;
  /** Of the data, else of what a person answered. */
  metrics: Metric[];
  /** A person was asked for metrics, whether or not they answered. */
  asked: boolean;
  /** Oldest first. */
  corrections: ReadCorrection[];
  mistakes: Mistakes;
}

/** Messages of the loop itself begin with a tag or a fixed sentence; a person's don't. */
const OF_THE_LOOP = /^\s*(?:\[(?:notice from the system|summary of )|<correction\b|Your answer could not be read:)/;

/** @throws when the conversation does not begin with the agent's task. */
export function readConversation(request: ScriptedRequest): View {
  const users = request.users();
  const at = users.findIndex((text) => text.startsWith(TASK_MARK));
  const task = taskSchema.parse(JSON.parse(users[at]?.slice(TASK_MARK.length) ?? 'null'));
  const later = users.slice(at + 1);
  const answers = later.filter((text) => !OF_THE_LOOP.test(text));
  const stated = Object.entries(task.metrics).map(([name, value]): Metric => [name, String(value)]);
  return {
    task,
    metrics: stated.length > 0 ? stated : answers.flatMap(metricsIn),
    asked: answers.length > 0 || later.some((text) => /^\[notice from the system\].*\bmetrics\b/.test(text)),
    corrections: later.flatMap(readCorrection),
    mistakes: mistakesOf([task.audience, ...task.workItems].join('\n')),
  };
}

function readCorrection(text: string): ReadCorrection[] {
  const body = /^<correction>(.*)<\/correction>/s.exec(text)?.[1];
  return body === undefined ? [] : [correctionSchema.parse(JSON.parse(body))];
}

/** Whether any correction so far names a type of issue that begins so. */
export function wasTold(view: View, type: string): boolean {
  return view.corrections.some(({ change }) => change.some((each) => each.type.startsWith(type)));
}
