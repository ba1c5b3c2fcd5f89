import type { ComponentChildren } from 'preact';
import type { ExperimentDetail } from '../../../contracts/api/experiments.ts';
import { FigureTable } from '../../components/figure-table.tsx';
import { Money } from '../../components/money.tsx';
import { shareText } from '../../components/rate.tsx';
import { Duration } from '../../components/time.tsx';
import { t } from '../../i18n/index.ts';
import { number } from '../../text/numbers.ts';

type ArmFigures = NonNullable<ExperimentDetail['result']>['base'];

/** Both arms of an experiment beside each other. */
export function Arms({ base, candidate }: { base: ArmFigures; candidate: ArmFigures }) {
  const texts = t().learning;
  const figures: [name: string, of: (arm: ArmFigures) => ComponentChildren][] = [
    [texts.runs, ({ runs }) => number(runs)],
    [texts.firstPassed, ({ firstAttemptPassRate }) => shareText(firstAttemptPassRate)],
    [texts.passed, ({ passRate }) => shareText(passRate)],
    [texts.meanScore, ({ meanScore }) => decimal(meanScore, 1)],
    [texts.corrections, ({ meanCorrections }) => decimal(meanCorrections, 2)],
    [texts.cost, ({ meanCostMicros }) => (meanCostMicros === null ? '–' : <Money micros={Math.round(meanCostMicros)} />)],
    [texts.time, ({ meanDurationMs }) => (meanDurationMs === null ? '–' : <Duration ms={meanDurationMs} />)],
  ];
  return (
    <FigureTable
      title={texts.arm}
      empty=""
      first={texts.figure}
      columns={[texts.base, texts.candidate]}
      rows={figures.map(([name, of]) => ({ key: name, name, cells: [of(base), of(candidate)] }))}
    />
  );
}

const decimal = (value: number | null, digits: number): string => (value === null ? '–' : number(value, digits));
