import { t } from '../../i18n/index.ts';

export default function InboxPage() {
  return <h1>{t().inbox.title}</h1>;
}
