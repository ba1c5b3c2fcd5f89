import { t } from '../../i18n/index.ts';

export default function TasksPage() {
  return <h1>{t().tasks.title}</h1>;
}
