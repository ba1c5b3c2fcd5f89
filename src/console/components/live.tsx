import type { StreamState } from '../events.ts';
import { t } from '../i18n/index.ts';

/** Whether what is shown follows by itself. */
export function Live({ state }: { state: StreamState }) {
  return (
    <span class="live" data-state={state} role="status">
      {t().words.stream[state]}
    </span>
  );
}
