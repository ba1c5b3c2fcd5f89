import type { SessionMessageView } from '../../../contracts/api/sessions.ts';
import { path } from '../../api.ts';
import { Badge } from '../../components/badge.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Time } from '../../components/time.tsx';
import { t } from '../../i18n/index.ts';

/** One message. An answer that is still written or that broke off says so. @param hidden its text is shown as a draft already */
export function MessageView({ message, hidden }: { message: SessionMessageView; hidden: boolean }) {
  const texts = t().chat;
  const { role, text, status, taskId } = message;
  const pending = role === 'assistant' && status === 'open';
  if (pending && hidden) return null;
  return (
    <article class="message" data-role={role} aria-label={texts.roles[role]}>
      {text !== '' && <SafeText text={text} />}
      {pending && text === '' && <span class="muted typing">{texts.working}</span>}
      {status === 'interrupted' && <Badge tone="warn">{texts.interrupted}</Badge>}
      <footer class="muted small">
        <Time at={message.at} relative />
        {role === 'assistant' && taskId !== null && (
          <>
            {' · '}
            <a href={path`/tasks/${taskId}`} data-page>
              {texts.openTask}
            </a>
          </>
        )}
      </footer>
    </article>
  );
}
