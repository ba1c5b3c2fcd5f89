import type { ApprovalView } from '../../../contracts/api/approvals.ts';
import { RISKS, type Risk } from '../../../contracts/reasons.ts';
import { t } from '../../i18n/index.ts';
import { place, setQuery } from '../../router.ts';
import { plain } from '../../text/visible.ts';

export interface Filters {
  mine: boolean;
  risk: Risk | null;
  agent: string | null;
}

/** Read from the address, so that a filtered inbox can be bookmarked. */
export function filtersNow(): Filters {
  const { query } = place.value;
  const risk = query.get('risk');
  return { mine: query.get('mine') === '1', risk: RISKS.find((known) => known === risk) ?? null, agent: query.get('agent') };
}

export function fits({ mine, risk, agent }: Filters, approval: ApprovalView): boolean {
  return (!mine || approval.canDecide) && (risk === null || approval.risk === risk) && (agent === null || approval.agent === agent);
}

export const isFiltered = ({ mine, risk, agent }: Filters): boolean => mine || risk !== null || agent !== null;
export const clearFilters = (): void => setQuery({ mine: null, risk: null, agent: null });

export function FilterBar({ filters, agents, withMine }: { filters: Filters; agents: readonly string[]; withMine: boolean }) {
  const names = [...new Set([...agents, ...(filters.agent === null ? [] : [filters.agent])])].toSorted();
  return (
    <div class="row">
      {withMine && (
        <label class="check">
          <input type="checkbox" checked={filters.mine} onChange={(event) => setQuery({ mine: event.currentTarget.checked ? '1' : null })} />
          {t().inbox.mine}
        </label>
      )}
      <select class="input" aria-label={t().inbox.filterRisk} value={filters.risk ?? ''} onChange={(event) => setQuery({ risk: event.currentTarget.value })}>
        <option value="">{t().inbox.anyRisk}</option>
        {RISKS.map((risk) => (
          <option key={risk} value={risk}>
            {t().words.risk[risk]}
          </option>
        ))}
      </select>
      <select class="input" aria-label={t().inbox.filterAgent} value={filters.agent ?? ''} onChange={(event) => setQuery({ agent: event.currentTarget.value })}>
        <option value="">{t().inbox.anyAgent}</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {plain(name)}
          </option>
        ))}
      </select>
    </div>
  );
}
