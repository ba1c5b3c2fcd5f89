/**
 * Histories that were recorded from every sample case replay against today's workflow: a running task survives a deployment.
 * After a deliberate change of the workflow before a release: `npm run record-histories`.
 */
import { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { installRuntime } from '../../src/worker.ts';
import { agentNames, casesOf } from '../support/play-case.ts';
import { readHistory, recordedCases, type History } from './histories.ts';

beforeAll(() => installRuntime(pino({ level: 'silent' })));

async function replay(histories: { workflowId: string; history: History }[]): Promise<Record<string, string>> {
  const problems: Record<string, string> = {};
  for await (const result of Worker.runReplayHistories({ workflowBundle: { codePath: inject('workflowBundle') } }, histories)) {
    if (result.error) problems[result.workflowId] = result.error.message;
  }
  return problems;
}

/** Signatures are bound to the task, so a history replays under its own id alone. */
function taskIdOf(history: History): string {
  const taskId = history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowId;
  if (!taskId) throw new Error('the history does not say which task it is of');
  return taskId;
}

function replayable(history: History): { workflowId: string; history: History } {
  return { workflowId: taskIdOf(history), history };
}

describe.each(agentNames)('recorded histories of %s', (agent) => {
  it('are there for every case, and for no other', async () => {
    expect((await recordedCases(agent)).toSorted()).toEqual(
      casesOf(agent)
        .map((sample) => sample.name)
        .toSorted(),
    );
  });

  it('replay', async () => {
    const names = await recordedCases(agent);
    const histories = await Promise.all(names.map(async (name) => replayable(await readHistory(agent, name))));
    expect(histories.length).toBeGreaterThan(0);
    expect(await replay(histories)).toEqual({});
  });

  it('do not replay when a step of them is another', async () => {
    const [name] = await recordedCases(agent);
    const history = await readHistory(agent, name!);
    for (const { activityTaskScheduledEventAttributes: scheduled } of history.events ?? []) {
      if (scheduled?.activityType?.name === 'decide') scheduled.activityType.name = 'somethingElse';
    }
    expect((await replay([replayable(history)]))[taskIdOf(history)]).toMatch(/nondeterminism/i);
  });
});
