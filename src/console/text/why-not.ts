import type { ApprovalView } from '../../contracts/api/approvals.ts';
import { language, t } from '../i18n/index.ts';

/** Why the approval can't be decided by whoever looks at it: the gateway's own sentence says more, and is English. */
export function whyNotText({ whyNot, whyNotCode }: Pick<ApprovalView, 'whyNot' | 'whyNotCode'>): string {
  const known = whyNotCode === null ? undefined : t().errors.byCode[whyNotCode];
  return (language.value === 'en' ? (whyNot ?? known) : (known ?? whyNot)) ?? t().inbox.mayNot;
}
