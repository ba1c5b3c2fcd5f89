import { useEffect, useRef } from 'preact/hooks';
import { Live } from '../../components/live.tsx';
import { Failure, Skeleton } from '../../components/states.tsx';
import { t } from '../../i18n/index.ts';
import { DraftView } from '../task/draft-view.tsx';
import { Composer } from './composer.tsx';
import { MessageView } from './message.tsx';
import { useConversation } from './use-conversation.ts';
import { WaitingView } from './waiting.tsx';

/** One conversation: what was said, what is being written, what is asked, and a box to write in. */
export function Conversation({ sessionId, onChanged }: { sessionId: string; onChanged: () => void }) {
  const texts = t().chat;
  const live = useConversation(sessionId);
  const { session, waiting, draft } = live;
  const end = useRef<HTMLDivElement>(null);
  const count = session?.messages.length ?? 0;
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [count, waiting.length, draft?.text.length]);
  const sent = (taskId: string): void => {
    live.onSent(taskId);
    onChanged();
  };
  if (session === null) return live.error === null ? <Skeleton /> : <Failure error={live.error} onRetry={live.reload} />;
  return (
    <section class="conversation" aria-label={session.title || texts.untitled}>
      <header class="row">
        <a class="chat-back" href="/chat" data-page>
          {texts.back}
        </a>
        <b>{session.agent}</b>
        <Live state={live.stream} />
      </header>
      <div class="messages" role="log" aria-live="polite" aria-label={texts.messages} tabIndex={0}>
        {count === 0 && <p class="muted">{texts.empty}</p>}
        {session.messages.map((message) => (
          <MessageView key={message.messageId} message={message} hidden={message.status === 'open' && draft !== null} />
        ))}
        {draft !== null && <DraftView draft={draft} stream={live.stream} />}
        {waiting.map((approval) => (
          <WaitingView key={approval.id} sessionId={sessionId} approval={approval} said={session.messages.some((message) => message.text === approval.summary)} onSent={sent} />
        ))}
        {live.error !== null && <Failure error={live.error} onRetry={live.reload} />}
        <div ref={end} />
      </div>
      <Composer sessionId={sessionId} running={live.working} onSent={sent} />
    </section>
  );
}
