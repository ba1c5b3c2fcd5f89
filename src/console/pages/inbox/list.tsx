import { useSignal } from '@preact/signals';
import type { ApprovalView } from '../../../contracts/api/approvals.ts';
import { Button } from '../../components/button.tsx';
import { t } from '../../i18n/index.ts';
import { keyOf } from '../../state/approvals.ts';
import { approveTogether, canBatch } from './decide.ts';
import { ApprovalRow } from './row.tsx';

interface ListProps {
  approvals: readonly ApprovalView[];
  selected: string | null;
  checked: ReadonlySet<string>;
  onCheck: (keys: ReadonlySet<string>) => void;
}

/** Rows drawn at once: each has a clock. */
const STEP = 100;

export function ApprovalList({ approvals, selected, checked, onCheck }: ListProps) {
  const shown = useSignal(STEP);
  const check = (key: string, on: boolean): void => {
    const next = new Set(checked);
    if (on) next.add(key);
    else next.delete(key);
    onCheck(next);
  };
  return (
    <>
      <ul class="card approval-list" aria-label={t().inbox.listLabel}>
        {approvals.slice(0, shown.value).map((approval) => {
          const key = keyOf(approval);
          return <ApprovalRow key={key} approval={approval} selected={key === selected} checked={checked.has(key)} onCheck={(on) => check(key, on)} />;
        })}
      </ul>
      {approvals.length > shown.value && (
        <div class="row list-more">
          <Button onClick={() => (shown.value += STEP)}>{t().words.loadMore}</Button>
        </div>
      )}
    </>
  );
}

/** Those of low risk can be approved together. */
export function BatchBar({ approvals, checked, onCheck }: Omit<ListProps, 'selected'>) {
  const texts = t().inbox;
  const possible = approvals.filter(canBatch);
  const chosen = possible.filter((approval) => checked.has(keyOf(approval)));
  if (possible.length < 2) return null;
  const all = chosen.length === possible.length;
  return (
    <div class="row batch-bar">
      <label class="check small">
        <input
          type="checkbox"
          checked={all}
          // Some, not all.
          ref={(input) => {
            if (input) input.indeterminate = !all && chosen.length > 0;
          }}
          onChange={() => onCheck(all ? new Set() : new Set(possible.map(keyOf)))}
        />
        {chosen.length === 0 ? texts.selectAll : texts.selected(chosen.length)}
      </label>
      {chosen.length > 0 && (
        <span class="push">
          <Button
            kind="primary"
            size="small"
            onClick={async () => {
              await approveTogether(chosen.slice(0, MOST_TOGETHER));
              onCheck(new Set());
            }}
          >
            {texts.approveSelected(Math.min(chosen.length, MOST_TOGETHER))}
          </Button>
        </span>
      )}
    </div>
  );
}

/** As the gateway takes them. */
const MOST_TOGETHER = 50;
