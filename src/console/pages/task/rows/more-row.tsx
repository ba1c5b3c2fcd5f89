import { useEffect } from 'preact/hooks';
import { t } from '../../../i18n/index.ts';
import { number } from '../../../text/numbers.ts';

/** Stands for turns that are not loaded; being seen loads them. */
export function MoreRow({ shown, total, onMore }: { shown: number; total: number; onMore: () => Promise<void> }) {
  useEffect(() => {
    void onMore();
  }, [shown, total]);
  return (
    <p class="more-row muted small" role="status">
      {t().task.turnsShown(number(shown), number(total))}
    </p>
  );
}
