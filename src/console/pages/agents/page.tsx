import { t } from '../../i18n/index.ts';

export default function AgentsPage() {
  return <h1>{t().agents.title}</h1>;
}
