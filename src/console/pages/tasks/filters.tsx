import { useEffect, useRef } from 'preact/hooks';
import { OUTCOMES } from '../../../contracts/reasons.ts';
import { Segments } from '../../components/segments.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { t } from '../../i18n/index.ts';
import { setQuery } from '../../router.ts';
import type { TaskFilters } from './use-tasks.ts';

/** What the list is narrowed to; kept in the address, so that it can be sent to somebody. */
export function Filters({ filters, agents }: { filters: TaskFilters; agents: readonly string[] }) {
  const texts = t().tasks;
  const search = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useShortcuts([{ key: '/', label: () => t().tasks.searchFor, run: () => search.current?.focus() }]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const find = (text: string): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setQuery({ q: text.trim() }), 250);
  };
  return (
    <div class="filters" role="search">
      <input
        ref={search}
        class="input filter-search"
        type="search"
        maxLength={200}
        placeholder={texts.searchFor}
        aria-label={texts.searchFor}
        defaultValue={filters.q ?? ''}
        onInput={(event) => find(event.currentTarget.value)}
      />
      <Segments
        label={texts.status}
        options={[
          { id: '', label: t().words.all },
          { id: 'running', label: t().words.running },
          { id: 'closed', label: texts.closed },
        ]}
        selected={filters.status ?? ''}
        onSelect={(status) => setQuery({ status, ...(status === 'running' && { outcome: null }) })}
      />
      <select class="input" aria-label={texts.agent} value={filters.agent ?? ''} onChange={(event) => setQuery({ agent: event.currentTarget.value })}>
        <option value="">{texts.everyAgent}</option>
        {agents.map((agent) => (
          <option key={agent} value={agent}>
            {agent}
          </option>
        ))}
      </select>
      <select
        class="input"
        aria-label={texts.outcome}
        value={filters.outcome ?? ''}
        disabled={filters.status === 'running'}
        onChange={(event) => setQuery({ outcome: event.currentTarget.value })}
      >
        <option value="">{texts.everyOutcome}</option>
        {OUTCOMES.map((outcome) => (
          <option key={outcome} value={outcome}>
            {t().words.outcome[outcome]}
          </option>
        ))}
      </select>
    </div>
  );
}
