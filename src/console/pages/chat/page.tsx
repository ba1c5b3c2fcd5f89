import './chat.css';
import type { Page } from '../../../contracts/api/page.ts';
import type { SessionView } from '../../../contracts/api/sessions.ts';
import { get, path } from '../../api.ts';
import { SafeText } from '../../components/safe-text.tsx';
import { Empty, Failure, Skeleton } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useFeed } from '../../components/use-feed.ts';
import { useLoad } from '../../components/use-load.ts';
import { useSlowly } from '../../components/use-slowly.ts';
import { t } from '../../i18n/index.ts';
import { Conversation } from './conversation.tsx';
import { NewConversation } from './new-conversation.tsx';

/** Conversations, each over as many tasks as it takes. */
export default function ChatPage({ sessionId }: { sessionId?: string }) {
  const texts = t().chat;
  const sessions = useLoad('sessions', (signal) => get<Page<SessionView>>('/v1/sessions', { signal }));
  const later = useSlowly(sessions.reload, 2_000);
  useFeed({ onChange: later });
  return (
    <div class="chat" data-open={sessionId !== undefined}>
      <aside class="chat-list">
        <h1>{texts.title}</h1>
        <NewConversation onStarted={sessions.reload} />
        {sessions.error !== null && <Failure error={sessions.error} onRetry={sessions.reload} />}
        {sessions.data === null && sessions.error === null && <Skeleton lines={4} />}
        <nav aria-label={texts.conversations}>
          <ul>
            {sessions.data?.items.map((session) => (
              <li key={session.sessionId}>
                <a href={path`/chat/${session.sessionId}`} data-page aria-current={session.sessionId === sessionId ? 'page' : undefined}>
                  <span class="cut">{session.title === '' ? texts.untitled : <SafeText text={session.title} oneLine />}</span>
                  <span class="muted small">
                    {session.agent} · <Time at={session.updatedAt} relative />
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </aside>
      {sessionId === undefined ? (
        <Empty title={texts.chooseTitle}>
          <p>{texts.chooseHint}</p>
        </Empty>
      ) : (
        <Conversation key={sessionId} sessionId={sessionId} onChanged={sessions.reload} />
      )}
    </div>
  );
}
