import { useSignal } from '@preact/signals';
import type { AgentDetail } from '../../../contracts/api/agents.ts';
import type { TaskDetail } from '../../../contracts/api/task-detail.ts';
import { ApiError, get, path, post } from '../../api.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { SettingField } from '../../components/setting-field.tsx';
import { Failure, Skeleton } from '../../components/states.tsx';
import { toast } from '../../components/toasts.tsx';
import { useLoad } from '../../components/use-load.ts';
import { t } from '../../i18n/index.ts';

/** Changes limits and parameters of a running task, within the agent's ranges. */
export function TuneDialog({ detail, onClose }: { detail: TaskDetail; onClose: () => void }) {
  const texts = t().task;
  const agent = useLoad(detail.agent, (signal) => get<AgentDetail>(path`/v1/agents/${detail.agent}`, { signal }));
  const edited = useSignal<Record<string, string>>({});
  const refused = useSignal<ApiError | null>(null);
  const current: Record<string, unknown> = { ...detail.limits, ...detail.parameters, ...detail.state?.limits, ...detail.state?.parameters };
  const changed = Object.entries(edited.value).filter(([field, value]) => value.trim() !== '' && Number(value) !== current[field]);
  const tune = async (): Promise<void> => {
    try {
      await post(path`/v1/tasks/${detail.taskId}/tune`, { values: Object.fromEntries(changed.map(([field, value]) => [field, Number(value)])) });
      toast('good', t().task.tuned(changed.length));
    } catch (error) {
      refused.value = error instanceof ApiError ? error : null;
      throw error;
    }
  };
  const tunable = agent.data?.settings.filter((setting) => setting.tuning !== null) ?? null;
  const fieldOf = (error: unknown): string | null => (error instanceof ApiError ? (error.field?.split('.').at(-1) ?? null) : null);
  return (
    <FormDialog
      title={texts.tuneTitle}
      action={texts.tune}
      disabled={changed.length === 0}
      onSubmit={tune}
      onClose={onClose}
      showError={(error) => !tunable?.some((setting) => setting.field === fieldOf(error))}
    >
      <p>{texts.tuneHint}</p>
      {agent.error !== null && <Failure error={agent.error} onRetry={agent.reload} />}
      {tunable === null && agent.error === null && <Skeleton />}
      {tunable?.map((setting) => (
        <SettingField
          key={setting.field}
          field={setting.field}
          tuning={setting.tuning!}
          value={edited.value[setting.field] ?? String(current[setting.field] ?? '')}
          problem={fieldOf(refused.value) === setting.field ? refused.value!.message : null}
          onInput={(value) => (edited.value = { ...edited.peek(), [setting.field]: value })}
        />
      ))}
    </FormDialog>
  );
}
