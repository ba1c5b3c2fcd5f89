import type { Overview } from '../../../contracts/api/overview.ts';
import { Duration } from '../../components/time.tsx';
import { t } from '../../i18n/index.ts';
import { number } from '../../text/numbers.ts';
import { FigureTable } from '../../components/figure-table.tsx';

export function SlowTools({ overview }: { overview: Overview }) {
  const texts = t().overview;
  return (
    <FigureTable
      title={texts.slowTools}
      empty={texts.noTools}
      first={texts.tool}
      columns={[texts.calls, texts.failures, texts.median, texts.p95]}
      rows={overview.slowTools.map((tool) => ({
        key: tool.tool,
        name: <span class="mono">{tool.tool}</span>,
        cells: [number(tool.calls), number(tool.failures), <Duration ms={tool.medianMs} />, <Duration ms={tool.p95Ms} />],
      }))}
    />
  );
}
