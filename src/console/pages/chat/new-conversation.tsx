import { useSignal } from '@preact/signals';
import type { AgentSummary } from '../../../contracts/api/agents.ts';
import type { SessionView } from '../../../contracts/api/sessions.ts';
import { get, newKey, path, post } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Failure } from '../../components/states.tsx';
import { useLoad } from '../../components/use-load.ts';
import { t } from '../../i18n/index.ts';
import { navigate } from '../../router.ts';

export function NewConversation({ onStarted }: { onStarted: () => void }) {
  const texts = t().chat;
  const agents = useLoad('agents', (signal) => get<{ items: AgentSummary[] }>('/v1/agents', { signal }));
  const chosen = useSignal('');
  const error = useSignal<unknown>(null);
  const names = agents.data?.items.filter((agent) => agent.chats).map((agent) => agent.name) ?? [];
  const agent = chosen.value || names.find((name) => name === 'support') || names[0];
  const start = async (): Promise<void> => {
    try {
      const session = await post<SessionView>('/v1/sessions', { agent }, { idempotencyKey: newKey() });
      error.value = null;
      navigate(path`/chat/${session.sessionId}`);
      onStarted();
    } catch (problem) {
      error.value = problem;
    }
  };
  return (
    <div class="stack">
      <div class="row">
        <select class="input grow" aria-label={texts.agent} value={agent} onChange={(event) => (chosen.value = event.currentTarget.value)}>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <Button kind="primary" disabled={agent === undefined} onClick={start}>
          {texts.start}
        </Button>
      </div>
      {error.value !== null && <Failure error={error.value} />}
    </div>
  );
}
