import { t } from '../../i18n/index.ts';

export default function ChatPage() {
  return <h1>{t().chat.title}</h1>;
}
