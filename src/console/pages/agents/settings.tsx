import { useSignal } from '@preact/signals';
import type { AgentDetail, AgentSettingView } from '../../../contracts/api/agents.ts';
import { ApiError, patch, path } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { problemOf, SettingField, settingName, showValue } from '../../components/setting-field.tsx';
import { Failure } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toasts.tsx';
import { t } from '../../i18n/index.ts';
import { may } from '../../state/session.ts';
import { exactTime } from '../../text/numbers.ts';

/** Limits and parameters: those that may be changed live as a form, the others as they are. */
export function Settings({ agent, onChanged }: { agent: AgentDetail; onChanged: () => void }) {
  const texts = t().agents;
  const edited = useSignal<Record<string, string>>({});
  const error = useSignal<unknown>(null);
  const saving = useSignal(false);
  const tunable = agent.settings.filter((setting) => setting.tuning !== null);
  const fixed = agent.settings.filter((setting) => setting.tuning === null);
  const changed = tunable.filter(({ field, value }) => field in edited.value && Number(edited.value[field]) !== value);
  const invalid = changed.some(({ field, tuning }) => problemOf(edited.value[field]!, tuning!) !== null);
  const refusedField = error.value instanceof ApiError ? (error.value.field?.split('.').at(-1) ?? null) : null;

  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (saving.peek() || changed.length === 0 || invalid) return;
    saving.value = true;
    try {
      await patch(path`/v1/agents/${agent.name}/settings`, { values: Object.fromEntries(changed.map(({ field }) => [field, Number(edited.value[field])])) });
      toast('good', t().agents.saved(changed.length));
      edited.value = {};
      error.value = null;
      onChanged();
    } catch (problem) {
      error.value = problem;
    } finally {
      saving.value = false;
    }
  };
  return (
    <div class="settings">
      <form class="card card-body stack" noValidate onSubmit={(event) => void save(event)}>
        <p class="muted">{may('settings.change') ? texts.settingsHint : texts.settingsForbidden}</p>
        <div class="settings-fields">
          {tunable.map((setting) => (
            <SettingField
              key={setting.field}
              field={setting.field}
              tuning={setting.tuning!}
              value={edited.value[setting.field] ?? String(setting.value ?? '')}
              problem={refusedField === setting.field ? (error.value as ApiError).message : null}
              note={originOf(setting)}
              disabled={!may('settings.change')}
              onInput={(value) => (edited.value = { ...edited.peek(), [setting.field]: value })}
            />
          ))}
        </div>
        {error.value !== null && !tunable.some((setting) => setting.field === refusedField) && <Failure error={error.value} />}
        {may('settings.change') && (
          <footer class="row settings-foot">
            <Button type="submit" kind="primary" disabled={changed.length === 0 || invalid} busy={saving.value}>
              {changed.length === 0 ? t().words.save : texts.saveChanges(changed.length)}
            </Button>
            {changed.length > 0 && <Button onClick={() => (edited.value = {})}>{texts.discard}</Button>}
          </footer>
        )}
      </form>
      <aside class="stack">
        <section class="card card-body">
          <h2>{texts.fixed}</h2>
          <dl class="facts small">
            {fixed.map((setting) => (
              <FixedSetting key={setting.field} setting={setting} />
            ))}
          </dl>
        </section>
        <Changes agent={agent} />
      </aside>
    </div>
  );
}

/** Where a value comes from. */
function originOf({ field, stored, defined }: AgentSettingView): string {
  const texts = t().agents;
  return stored === null ? texts.asDefined : texts.storedBy(stored.by, exactTime(stored.at), showValue(field, defined));
}

function FixedSetting({ setting }: { setting: AgentSettingView }) {
  return (
    <>
      <dt title={setting.field}>{settingName(setting.field)}</dt>
      <dd class="numbers">{showValue(setting.field, setting.value)}</dd>
    </>
  );
}

function Changes({ agent }: { agent: AgentDetail }) {
  const texts = t().agents;
  return (
    <section class="card card-body">
      <h2>{texts.changes}</h2>
      {agent.changes.length === 0 && <p class="muted">{texts.noChanges}</p>}
      <ul class="stack small">
        {agent.changes.map((change) => (
          <li key={change.field + change.at}>
            <b>{settingName(change.field)}</b> {change.from === null ? texts.asDefinedShort : showValue(change.field, change.from)} → {showValue(change.field, change.to)}
            <br />
            <span class="muted">
              {t().words.by(change.by)}, <Time at={change.at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
