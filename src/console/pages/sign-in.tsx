import './sign-in.css';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError } from '../api.ts';
import { Notice } from '../components/notice.tsx';
import { Segments } from '../components/segments.tsx';
import { Failure } from '../components/states.tsx';
import { language, LANGUAGES, setLanguage, t } from '../i18n/index.ts';
import { navigate, place } from '../router.ts';
import { rememberPlace, takePlace } from '../state/return-to.ts';
import { session } from '../state/session.ts';
import { loadSession, signIn } from '../state/sign-in.ts';

/** Takes the token from the link's fragment, which no server and no log has seen, and out of the address at once. */
function takeToken(): string | null {
  if (place.peek().path !== '/sign-in' || location.hash.length < 2) return null;
  const token = location.hash.slice(1);
  history.replaceState(null, '', '/sign-in');
  return token;
}

export function SignIn() {
  const working = useSignal(false);
  const error = useSignal<unknown>(null);
  useEffect(() => {
    rememberPlace();
    const start = (): void => {
      const token = takeToken();
      if (token !== null) void run(token);
    };
    const run = async (token: string): Promise<void> => {
      working.value = true;
      error.value = null;
      try {
        await signIn(token);
      } catch (problem) {
        // A link that is opened a second time is no obstacle to who is signed in already.
        if (problem instanceof ApiError && problem.status === 401) await loadSession();
        error.value = problem;
      }
      if (session.peek().status === 'signed_in') navigate(takePlace(), { replace: true });
      working.value = false;
    };
    start();
    // A second link pasted into the same tab changes the fragment alone.
    addEventListener('hashchange', start);
    return () => removeEventListener('hashchange', start);
  }, []);
  const ended = session.value.status === 'signed_out' && session.value.ended;
  return (
    <main class="sign-in">
      <div class="card sign-in-card">
        <div class="brand">
          <img src="/loopwright.svg" alt="" />
          Loopwright
        </div>
        <h1>{t().signIn.title}</h1>
        {working.value ? <p role="status">{t().signIn.signingIn}</p> : <Help error={error.value} ended={ended} />}
        <Segments
          label={t().shell.language}
          options={LANGUAGES.map((id) => ({ id, label: id === 'en' ? 'English' : '中文', lang: id === 'en' ? 'en' : 'zh-CN' }))}
          selected={language.value}
          onSelect={setLanguage}
        />
      </div>
    </main>
  );
}

function Help({ error, ended }: { error: unknown; ended: boolean }) {
  const badLink = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
  return (
    <>
      {badLink && (
        <Notice tone="bad">
          <strong>{t().signIn.badLink}</strong>
          <p>{t().signIn.badLinkHint}</p>
        </Notice>
      )}
      {error !== null && !badLink && <Failure error={error} />}
      {ended && error === null && <Notice tone="warn">{t().signIn.ended}</Notice>}
      <p>{t().signIn.needsLink}</p>
      <p class="muted">{withCode(t().signIn.howDevelopment)}</p>
      <p class="muted">{t().signIn.howCommand}</p>
      <pre class="code">npm run loopwright -- sign-in</pre>
    </>
  );
}

function withCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
