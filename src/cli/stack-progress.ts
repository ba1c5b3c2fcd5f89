import { Listr } from 'listr2';
import { duration } from './text/format.ts';
import { type Safe, safe } from './text/safe.ts';

/**
 * Runs `work` while saying what it does: on a terminal one spinner with the latest step beneath it, else one line a step.
 * @param say where lines go when it is no terminal
 */
export async function withProgress<Result>(title: string, live: boolean, say: (line: Safe) => void, work: (onStep: (step: string) => void) => Promise<Result>): Promise<Result> {
  const startedAt = Date.now();
  if (!live) {
    const result = await work((step) => say(safe`${step}`));
    say(safe`${title}: done after ${duration(Date.now() - startedAt)}`);
    return result;
  }
  let result: Result | undefined;
  const list = new Listr(
    [
      {
        title,
        task: async (_context, task) => {
          result = await work((step) => {
            task.output = safe`${step}`.text;
          });
          task.title = `${title} (${duration(Date.now() - startedAt)})`;
        },
        // The servers are stopped by our own handlers, before the process ends.
      },
    ],
    { registerSignalListeners: false, rendererOptions: { collapseErrors: false, showErrorMessage: false } },
  );
  await list.run();
  return result as Result;
}
