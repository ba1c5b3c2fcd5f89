import type { AgentSummary } from '../../contracts/api/agents.ts';
import { get } from '../api.ts';
import { t } from '../i18n/index.ts';
import { useLoad } from './use-load.ts';

/** Narrows a page to one agent; null: every agent. */
export function AgentSelect({ selected, onSelect }: { selected: string | null; onSelect: (agent: string | null) => void }) {
  const texts = t().report;
  const agents = useLoad('agents', (signal) => get<{ items: AgentSummary[] }>('/v1/agents', { signal }));
  const names = agents.data?.items.map(({ name }) => name) ?? [];
  // one of the address, that this gateway no longer has, is still what the page is narrowed to
  const all = selected === null || names.includes(selected) ? names : [...names, selected];
  return (
    <select class="input" aria-label={texts.agent} value={selected ?? ''} onChange={(event) => onSelect(event.currentTarget.value || null)}>
      <option value="">{texts.everyAgent}</option>
      {all.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
