import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OBSERVED } from '../../../../src/agents/code-repair/scripted/observed.ts';
import type { CodeRepairInput } from '../../../../src/agents/code-repair/schemas.ts';
import type { DatasetResult, Figures } from '../../../../src/datasets/dataset.ts';
import { quixbugsDataset } from '../../../../src/datasets/quixbugs.ts';
import { runDataset } from '../../../../src/datasets/run-dataset.ts';
import { hasCases, readCases } from '../../../support/cases.ts';
import type { Loop } from '../../../support/loop.ts';
import { startAgentsLoop } from '../../../support/play-case.ts';

describe.skipIf(!hasCases)('QuixBugs through the whole loop', () => {
  let loop: Loop;
  let results: DatasetResult<{ program: string; withheld: boolean }>[];
  let figures: Figures;
  beforeAll(async () => {
    loop = await startAgentsLoop();
    const start = async (agent: string, input: unknown, taskId: string) => (await loop.client.start(agent, input as never, { taskId })).result();
    results = (await runDataset({ dataset: quixbugsDataset, cases: quixbugsDataset.read(readCases('quixbugs.json')), start, suffix: '' })) as typeof results;
    figures = await quixbugsDataset.figures(results, { sandbox: loop.services.sandbox as never });
  }, 300_000);
  afterAll(() => loop?.stop());

  it('repairs every program from its failing output, and none without', () => {
    const { programs } = figures.total;
    expect(programs).toBeGreaterThanOrEqual(12);
    expect(figures.total).toMatchObject({ repaired: programs, repairedPercent: 100, meanAttempts: 2, repairedWithFeedbackWithheld: 0 });
    expect(figures.cases).toHaveLength(programs as number);
  });

  it('first ran the buggy text, and saw it fail as was observed', async () => {
    const told = results.filter((result) => !result.case.reference.withheld);
    for (const {
      case: { input, reference },
      taskId,
    } of told) {
      const [first] = (await loop.database.store.taskView(taskId))!.attempts;
      expect(JSON.parse((await loop.database.store.blobs.get(first!.row!.outputHash!))!)).toMatchObject({ code: (input as CodeRepairInput).code });
      expect(first!.verdicts.flatMap(({ issues }) => issues.map(({ message }) => message)).join('\n')).toContain(OBSERVED[reference.program] ?? '(');
    }
  });

  it('shows the model nothing of the run where feedback is withheld', () => {
    const { taskId } = results.find((result) => result.case.id === 'to-base-withheld')!;
    const sent = JSON.stringify(loop.model.requests.filter(({ key }) => key.startsWith(`${taskId}/`)).map(({ body }) => body));
    expect(sent).toContain('The code is not right.');
    expect(sent).not.toContain('gave');
  });
});
