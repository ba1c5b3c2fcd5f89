import { t } from '../../i18n/index.ts';

export default function TaskPage() {
  return <h1>{t().task.title}</h1>;
}
