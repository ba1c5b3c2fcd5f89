/** What people and the business said of the work, and whether the scores agree. */
import type { Report } from '../../../contracts/api/report.ts';
import { FigureTable } from '../../components/figure-table.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { t } from '../../i18n/index.ts';
import { number } from '../../text/numbers.ts';

export function Feedback({ report }: { report: Report }) {
  const texts = t().report;
  return (
    <FigureTable
      title={texts.feedback}
      empty={texts.noFeedback}
      first={texts.said}
      words={1}
      columns={[texts.source, texts.count, texts.tasks, texts.meanValue]}
      rows={report.feedback.map(({ kind, source, count, tasks, meanValue }) => ({
        key: `${source} ${kind}`,
        name: texts.kinds[kind] ?? kind,
        cells: [texts.sources[source], number(count), number(tasks), figure(meanValue)],
      }))}
    />
  );
}

export function Outcomes({ report }: { report: Report }) {
  const texts = t().report;
  return (
    <FigureTable
      title={texts.outcomes}
      empty={texts.noOutcomes}
      first={texts.outcome}
      columns={[texts.tasks, texts.meanValue]}
      rows={report.businessOutcomes.map(({ kind, tasks, meanValue }) => ({ key: kind, name: <SafeText text={kind} oneLine />, cells: [number(tasks), figure(meanValue)] }))}
    />
  );
}

export function ScoreWorth({ report }: { report: Report }) {
  const texts = t().report;
  return (
    <FigureTable
      title={texts.worth}
      hint={texts.worthHint}
      empty={texts.noWorth}
      first={texts.evaluator}
      words={2}
      columns={[texts.agent, texts.outcome, texts.tasks, texts.correlation, texts.interval]}
      rows={report.scoresAgainstOutcomes.map(({ agent, evaluator, outcomeKind, tasks, rho, low, high }) => ({
        key: `${agent} ${evaluator} ${outcomeKind}`,
        name: <span class="mono">{evaluator}</span>,
        cells: [agent, <SafeText text={outcomeKind} oneLine />, number(tasks), figure(rho), low === null || high === null ? '–' : t().learning.from(figure(low), figure(high))],
      }))}
    />
  );
}

const figure = (value: number | null): string => (value === null ? '–' : number(value, 2));
