import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { AgentSummary } from '../../contracts/api/agents.ts';
import { get } from '../api.ts';
import { t } from '../i18n/index.ts';
import { FormDialog } from './form-dialog.tsx';
import { FormField } from './form-field.tsx';
import { Failure } from './states.tsx';
import { useLoad } from './use-load.ts';

interface AgentTaskDialogProps {
  title: string;
  action: string;
  hint: string;
  /** Chosen first. */
  preferred: string | null;
  disabled: boolean;
  onClose: () => void;
  onSubmit: (agent: string) => Promise<unknown>;
  children: ComponentChildren;
}

/** Asks for an agent, and starts something for it. */
export function AgentTaskDialog({ title, action, hint, preferred, disabled, onClose, onSubmit, children }: AgentTaskDialogProps) {
  const agents = useLoad('agents', (signal) => get<{ items: AgentSummary[] }>('/v1/agents', { signal }));
  const chosen = useSignal<string | null>(preferred);
  const agent = chosen.value ?? agents.data?.items[0]?.name ?? null;
  return (
    <FormDialog title={title} action={action} disabled={disabled || agent === null} onClose={onClose} onSubmit={() => onSubmit(agent!)}>
      <p class="muted">{hint}</p>
      {agents.error !== null && <Failure error={agents.error} onRetry={agents.reload} />}
      <FormField label={t().learning.agent}>
        {(field) => (
          <select {...field} class="input" value={agent ?? ''} onChange={(event) => (chosen.value = event.currentTarget.value)}>
            {agents.data?.items.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        )}
      </FormField>
      {children}
    </FormDialog>
  );
}
