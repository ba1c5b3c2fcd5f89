import type { Config } from '../../../config.ts';
import type { Stack } from '../../../dev/stack.ts';
import { agents } from '../../../agents/index.ts';
import { DEFAULT_TENANT } from '../../../contracts/names.ts';
import { loadShipped } from '../../../datasets/shipped.ts';
import type { Output } from '../../output.ts';
import { withDemoClient } from '../demo-client.ts';
import { learningDemo, sayVerdict, type LearningReport } from './learning-demo.ts';
import { createShow } from './show.ts';
import { FULL_SIZE, type LearningSize } from './stack.ts';

/** The demo of learning on a stack that is up. */
export async function runLearning(stack: Stack, config: Config, output: Output, suffix: string, size: LearningSize = FULL_SIZE): Promise<LearningReport> {
  const show = createShow(output);
  return withDemoClient(stack, config, async ({ loopwright, store }) => {
    for (const agent of size.agents) await loadShipped(store, DEFAULT_TENANT, agents[agent]!);
    const learning = { loopwright, store, show, size, suffix };
    const report = await learningDemo(learning).finally(() => show.end());
    sayVerdict(learning, report);
    return report;
  });
}
