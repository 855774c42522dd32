import { useRouterState } from '@tanstack/react-router';
import { ApiFailure } from '../api/failure.ts';
import { failureText } from '../api/failure-text.ts';
import { useSession } from '../api/session.ts';
import { t, useLanguage } from '../base/i18n/index.ts';
import { usePageTree } from '../content/pages.ts';
import { EmptyState } from '../ui/messages/empty-state.tsx';
import { Frame } from './frame/frame.tsx';
import { FirstRun, LeaveRemoteMode, LoginPage, RemoteFrame } from './frame/lazy-screens.ts';
import { ToastList } from './frame/toast-list.tsx';
import { navigation } from './screens.ts';

/** What is shown depends on who is there: first run, login, or the frame with a screen. */
export function Start() {
  useLanguage();
  const { data: session } = useSession();
  const remote = session?.remote;
  return (
    <>
      {remote === undefined ? (
        <StartScreen />
      ) : (
        <RemoteFrame remote={remote}>
          <StartScreen />
        </RemoteFrame>
      )}
      <ToastList />
    </>
  );
}

function StartScreen() {
  const { data: session, error } = useSession();
  if (error !== null && session === undefined)
    return <EmptyState>{failureText(error) || t('errors.offline')}</EmptyState>;
  if (session === undefined) return null;
  if (session.setup_required) return <FirstRun needsAccount />;
  if (session.user === null) return <LoginPage />;
  return <SignedIn />;
}

function SignedIn() {
  const { data: pages, error } = usePageTree();
  const isBringing = useRouterState({
    select: ({ location }) => /\/(import|system)\b/.test(location.pathname),
  });
  if (error !== null && pages === undefined) {
    // Nothing answers in place of a connection that was deleted, and no frame shows the way back.
    const isGone = error instanceof ApiFailure && error.code === 'connection.gone';
    return <EmptyState action={isGone && <LeaveRemoteMode />}>{failureText(error)}</EmptyState>;
  }
  if (pages === undefined) return null;
  // The first website may come from elsewhere.
  return pages.length === 0 && !isBringing ? (
    <FirstRun needsAccount={false} />
  ) : (
    <Frame navigation={navigation} />
  );
}
