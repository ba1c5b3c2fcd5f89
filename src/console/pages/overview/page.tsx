import { t } from '../../i18n/index.ts';

export default function OverviewPage() {
  return <h1>{t().overview.title}</h1>;
}
