import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { AgentDetail, AgentSummary } from '../../../contracts/api/agents.ts';
import type { TaskSummary } from '../../../contracts/api/tasks.ts';
import { ApiError, get, newKey, path, post } from '../../api.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { FormField } from '../../components/form-field.tsx';
import { check } from '../../components/schema-form/check.ts';
import { initialOf } from '../../components/schema-form/schema.ts';
import { Failure, Skeleton } from '../../components/states.tsx';
import { useLoad } from '../../components/use-load.ts';
import { t } from '../../i18n/index.ts';
import { navigate } from '../../router.ts';
import { InputForm } from './input-form.tsx';

interface StartDialogProps {
  /** Null: not known yet. */
  agents: readonly AgentSummary[] | null;
  error: unknown;
  /** Chosen first. */
  preferred: string | null;
  onClose: () => void;
}

/** Starts a task: an agent, and an input that fits its schema. */
export function StartDialog({ agents, error, preferred, onClose }: StartDialogProps) {
  const texts = t().tasks;
  const chosen = useSignal<string | null>(null);
  const name = chosen.value ?? agents?.find((agent) => agent.name === preferred)?.name ?? agents?.[0]?.name ?? null;
  const agent = useLoad(name ?? '', async (signal) => (name === null ? null : get<AgentDetail>(path`/v1/agents/${name}`, { signal })));
  const input = useSignal<unknown>(undefined);
  const key = useRef(newKey());
  const schema = agent.data?.name === name ? agent.data?.inputSchema : undefined;
  // Before anybody types: what is typed is never set back.
  useLayoutEffect(() => {
    input.value = schema ? initialOf(schema, schema) : undefined;
  }, [schema]);
  const problems = schema ? check(schema, input.value) : null;

  const start = async (): Promise<void> => {
    try {
      const task = await post<TaskSummary>('/v1/tasks', { agent: name, input: input.value }, { idempotencyKey: key.current });
      navigate(path`/tasks/${task.taskId}`);
    } catch (problem) {
      // What was refused has started nothing; after no answer the same key finds what may have been started.
      if (problem instanceof ApiError && problem.status >= 400 && problem.status < 500) key.current = newKey();
      throw problem;
    }
  };
  return (
    <FormDialog title={texts.startTitle} action={texts.startAction} disabled={problems === null || problems.size > 0} onSubmit={start} onClose={onClose}>
      {error !== null && <Failure error={error} />}
      {agents?.length === 0 && <p>{texts.noAgents}</p>}
      <div class="row start-row">
        <FormField label={texts.chooseAgent} hint={agent.data?.summary}>
          {(field) => (
            <select {...field} class="input" value={name ?? ''} onChange={(event) => (chosen.value = event.currentTarget.value)}>
              {agents?.map((each) => (
                <option key={each.name} value={each.name}>
                  {each.name}
                </option>
              ))}
            </select>
          )}
        </FormField>
        {schema !== undefined && agent.data!.samples.length > 0 && (
          <FormField label={texts.example}>
            {(field) => (
              <select {...field} class="input" value="" onChange={(event) => (input.value = agent.data!.samples[Number(event.currentTarget.value)]?.input)}>
                <option value="" disabled>
                  –
                </option>
                {agent.data!.samples.map((sample, index) => (
                  <option key={sample.id} value={index}>
                    {sample.id}
                  </option>
                ))}
              </select>
            )}
          </FormField>
        )}
      </div>
      {agent.error !== null && <Failure error={agent.error} onRetry={agent.reload} />}
      {schema === undefined && agent.error === null && agents?.length !== 0 && <Skeleton lines={3} />}
      {schema !== undefined && input.value !== undefined && <InputForm schema={schema} value={input.value} problems={problems!} onChange={(value) => (input.value = value)} />}
    </FormDialog>
  );
}
