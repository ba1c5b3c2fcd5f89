import type { LearnRunView } from '../../../contracts/api/learn.ts';
import { FigureTable } from '../../components/figure-table.tsx';
import { Money } from '../../components/money.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Duration, Time } from '../../components/time.tsx';
import { t } from '../../i18n/index.ts';
import { number } from '../../text/numbers.ts';

/** Runs of learning: what each looked at, and what came of it. */
export function LearnRuns({ runs }: { runs: readonly LearnRunView[] }) {
  const texts = t().learning;
  return (
    <FigureTable
      title={texts.learnRuns}
      empty={texts.learnRunsNone}
      first={texts.begun}
      columns={[texts.agent, texts.startedBy, texts.took, texts.failedOf, texts.clustersFound, texts.proposals, texts.refused, texts.cost]}
      words={2}
      rows={runs.map((run) => ({
        key: run.learnId,
        name: <Time at={run.startedAt} relative />,
        cells: [
          run.agent,
          <SafeText text={run.startedBy} oneLine />,
          run.endedAt === null ? t().words.running : <Duration ms={Date.parse(run.endedAt) - Date.parse(run.startedAt)} />,
          t().report.of(number(run.failedAttempts), number(run.attempts)),
          number(run.clusters),
          number(run.proposed),
          number(run.refused),
          <Money micros={run.costMicros} />,
        ],
      }))}
    />
  );
}
