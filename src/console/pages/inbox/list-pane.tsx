import type { ApprovalView } from '../../../contracts/api/approvals.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Empty, Failure, Skeleton } from '../../components/states.tsx';
import { t } from '../../i18n/index.ts';
import { loadPending, moreWait, pending } from '../../state/approvals.ts';
import { clearFilters, type Filters, isFiltered } from './filters.tsx';
import { ApprovalList, BatchBar } from './list.tsx';
import type { DecidedList } from './use-decided.ts';

interface ListPaneProps {
  tab: 'pending' | 'decided';
  items: readonly ApprovalView[] | null;
  error: unknown;
  filters: Filters;
  selected: string | null;
  checked: ReadonlySet<string>;
  onCheck: (keys: ReadonlySet<string>) => void;
  decided: DecidedList;
}

export function ListPane({ tab, items, error, filters, selected, checked, onCheck, decided }: ListPaneProps) {
  return (
    <div class="list-pane">
      {error !== null && <Failure error={error} onRetry={tab === 'pending' ? loadPending : decided.reload} />}
      {items === null && error === null && <Skeleton />}
      {items?.length === 0 && (
        <div class="card">
          <Nothing tab={tab} filters={filters} />
        </div>
      )}
      {items !== null && items.length > 0 && (
        <>
          {tab === 'pending' && <BatchBar approvals={items} checked={checked} onCheck={onCheck} />}
          <ApprovalList approvals={items} selected={selected} checked={checked} onCheck={onCheck} />
        </>
      )}
      {tab === 'pending' && moreWait.value && <Notice>{t().inbox.moreWait}</Notice>}
      {tab === 'decided' && decided.more && (
        <div class="row list-more">
          <Button onClick={decided.more}>{t().words.loadMore}</Button>
        </div>
      )}
    </div>
  );
}

function Nothing({ tab, filters }: { tab: 'pending' | 'decided'; filters: Filters }) {
  const texts = t().inbox;
  if (isFiltered(filters)) {
    return (
      <Empty title={texts.noneFits}>
        {tab === 'pending' && (pending.value?.length ?? 0) > 0 && <p>{texts.noneFitsHint(pending.value!.length)}</p>}
        <Button onClick={clearFilters}>{texts.showAll}</Button>
      </Empty>
    );
  }
  return tab === 'decided' ? (
    <Empty title={texts.noneDecided} />
  ) : (
    <Empty title={texts.noneWaiting}>
      <p>{texts.noneWaitingHint}</p>
    </Empty>
  );
}
