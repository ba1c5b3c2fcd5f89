import { useEffect } from 'preact/hooks';
import { Failure, Skeleton } from './components/states.tsx';
import { SignIn } from './pages/sign-in.tsx';
import { place } from './router.ts';
import { Shell } from './shell.tsx';
import { session } from './state/session.ts';
import { loadSession } from './state/sign-in.ts';

export function App() {
  const signingIn = place.value.path === '/sign-in';
  useEffect(() => {
    if (!signingIn) void loadSession();
  }, []);
  const { status } = session.value;
  if (signingIn || status === 'signed_out') return <SignIn />;
  if (status === 'unknown') return <Skeleton />;
  if (session.value.status === 'failed') {
    return (
      <main class="content">
        <Failure error={session.value.error} onRetry={loadSession} />
      </main>
    );
  }
  return <Shell />;
}
