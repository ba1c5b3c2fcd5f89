/** What a page shows when there is nothing to show. */
import type { ComponentChildren } from 'preact';
import { ApiError } from '../api.ts';
import { t } from '../i18n/index.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { SafeText } from './safe-text.tsx';

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** What went wrong and what to do; `onRetry` adds a button. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) {
  return (
    <Notice tone="bad">
      <div class="row">
        <span class="grow">
          <SafeText text={explain(error)} />
        </span>
        {onRetry && (
          <Button size="small" onClick={onRetry}>
            {t().words.tryAgain}
          </Button>
        )}
      </div>
    </Notice>
  );
}

export function Skeleton({ lines = 6 }: { lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label={t().words.loading}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}

/** A sentence on an error, in the language of the page where we know it. */
export function explain(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  const known = t().errors.byCode[error.code] ?? (error.status === 0 ? undefined : t().errors.byStatus[error.status]);
  const said = error.field ? `${error.field}: ${error.message}` : error.message;
  return known ? (error.status === 0 || said === '' || said.startsWith('HTTP ') ? known : `${known} (${said})`) : said;
}
