import { it } from 'vitest';
import { agentNames, casesOf, playCase, startAgentsLoop } from '../support/play-case.ts';
import { forgetHistories, writeHistory } from './histories.ts';

it.each(agentNames)('records %s', async (agent) => {
  const loop = await startAgentsLoop();
  try {
    await forgetHistories(agent);
    for (const sample of casesOf(agent)) {
      const { task } = await playCase(loop, agent, sample);
      await writeHistory(loop.temporal, agent, sample.name, task.taskId);
    }
  } finally {
    await loop.stop();
  }
});
