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
  const row = (key: 'base' | 'candidate', arm: ArmFigures) => ({
    key,
    name: texts[key],
    cells: [
      number(arm.runs),
      shareText(arm.firstAttemptPassRate),
      shareText(arm.passRate),
      decimal(arm.meanScore, 1),
      decimal(arm.meanCorrections, 2),
      arm.meanCostMicros === null ? '–' : <Money micros={Math.round(arm.meanCostMicros)} />,
      arm.meanDurationMs === null ? '–' : <Duration ms={arm.meanDurationMs} />,
    ],
  });
  return (
    <FigureTable
      title={texts.arm}
      empty=""
      first={texts.arm}
      columns={[texts.runs, texts.firstPassed, texts.passed, texts.meanScore, texts.corrections, texts.cost, texts.time]}
      rows={[row('base', base), row('candidate', candidate)]}
    />
  );
}

const decimal = (value: number | null, digits: number): string => (value === null ? '–' : number(value, digits));
