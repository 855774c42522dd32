import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { ApiFailure } from '../api/failure.ts';
import { failureText } from '../api/failure-text.ts';
import { useMe, useRights } from '../api/session/rights.ts';
import { factorsQuery, useSession } from '../api/session/session.ts';
import { t, useLanguage } from '../base/i18n/index.ts';
import { usePageTree } from '../content/pages.ts';
import { EmptyState } from '../ui/messages/empty-state.tsx';
import { Frame } from './frame/frame.tsx';
import { FrameDialogs } from './frame/frame-dialogs.tsx';
import {
  FactorPage,
  FirstRun,
  InvitationPage,
  LeaveRemoteMode,
  LoginPage,
  PasswordPage,
  RemoteFrame,
} from './frame/lazy-screens.ts';
import { needsOfSites } from './frame/navigation.ts';
import { ToastList } from './frame/notices/toast-list.tsx';
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
  const isInvitation = useRouterState({
    select: ({ location }) => location.pathname.endsWith('/invitation'),
  });
  if (error !== null && session === undefined)
    return <EmptyState>{failureText(error) || t('errors.offline')}</EmptyState>;
  if (session === undefined) return null;
  if (session.setup_required) return <FirstRun needsAccount />;
  if (isInvitation) return <InvitationPage />;
  if (session.user === null) return <LoginPage />;
  return (
    <>
      {session.user.must_change_password ? <PasswordPage /> : <SignedIn />}
      <FrameDialogs />
    </>
  );
}

/** Whether a role demands a second factor, and there was none when this was asked; undefined until it is known. */
function useFactorNeeded(): boolean | undefined {
  const { data: me } = useMe();
  const isDemanded = me?.roles.some(({ require_factor }) => require_factor);
  // Under a key of its own: what is set up is shown first, with its recovery codes.
  const queryKey = ['session', 'has-factors'];
  const { data: factors } = useQuery({ ...factorsQuery, queryKey, enabled: isDemanded === true });
  if (isDemanded !== true) return isDemanded;
  return factors && factors.length === 0;
}

function SignedIn() {
  const { data: pages, error } = usePageTree();
  const { error: failure } = useMe();
  const isFactorNeeded = useFactorNeeded();
  const mayMakeSites = useRights()(needsOfSites);
  const isElsewhere = useRouterState({
    select: ({ location }) =>
      /\/(import|system|snippets|code|media|collections|workflows)\b/.test(location.pathname),
  });
  if (failure !== null && isFactorNeeded === undefined)
    return <EmptyState>{failureText(failure)}</EmptyState>;
  if (isFactorNeeded === undefined) return null;
  if (isFactorNeeded) return <FactorPage />;
  if (error !== null && pages === undefined) {
    // Nothing answers in place of a connection that was deleted, and no frame shows the way back.
    const isGone = error instanceof ApiFailure && error.code === 'connection.gone';
    return <EmptyState action={isGone && <LeaveRemoteMode />}>{failureText(error)}</EmptyState>;
  }
  if (pages === undefined) return null;
  // The first website may come from elsewhere, and content may be there before it.
  return pages.length === 0 && mayMakeSites && !isElsewhere ? (
    <FirstRun needsAccount={false} />
  ) : (
    <Frame navigation={navigation} />
  );
}
