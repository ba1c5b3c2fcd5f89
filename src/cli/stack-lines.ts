import type { StackAddresses } from '../dev/stack-file.ts';
import { shellQuote } from './addresses.ts';
import { type Paint, type Safe, safe } from './text/safe.ts';

/** Addresses of a stack for a person. The password in the database URL is a random one of this machine; psql needs it. */
export function stackLines(paint: Paint, stack: StackAddresses): Safe[] {
  const row = (label: string, text: Safe): Safe => safe`  ${paint.dim(label.padEnd(13))}${text}`;
  return [
    row('Temporal UI', safe`${stack.temporal.uiUrl === null ? 'that of your Temporal server' : paint.cyan(stack.temporal.uiUrl)}`),
    row('Temporal', safe`${stack.temporal.address}, namespace ${stack.temporal.namespace}, task queue ${stack.taskQueue}`),
    row('Database', safe`psql ${shellQuote(stack.databaseUrl)}`),
    row('Model', modelLine(paint, stack.model)),
    ...(stack.gatewayUrl ? [row('Console', safe`${paint.cyan(stack.gatewayUrl)}`), row('API', safe`${paint.cyan(`${stack.gatewayUrl}/docs`)}`)] : []),
  ];
}

/** Which model answers, plainly. */
export function modelLine(paint: Paint, model: StackAddresses['model']): Safe {
  if (model.scripted) return safe`${paint.yellow('scripted model')} (no key configured): a program answers, not a language model`;
  return safe`${paint.bold(model.writer)}; ${model.judge === null ? paint.yellow('the model judge is off: rules and people decide') : safe`judge ${paint.bold(model.judge)}`}`;
}
