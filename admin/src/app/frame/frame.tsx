import { Button } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { CatchBoundary, Outlet, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { startLiveUpdates } from '../../api/live.ts';
import { confirmation } from '../../api/renewal/confirmation.ts';
import { sessionRenewal } from '../../api/renewal/session-renewal.ts';
import { isServerNewer } from '../../api/server-build.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../base/i18n/index.ts';
import { useShared } from '../../base/shared-value.ts';
import { useCommands } from '../../commands/registry.ts';
import { noteSite, useCurrentSite } from '../../content/current-site.ts';
import { jobSignal, uploadSignal, useSignal } from '../../content/jobs/signal.ts';
import { usePageTree } from '../../content/pages.ts';
import { closeDialog, useOpenDialog } from '../../ui/floating/dialogs.ts';
import { loadFloatingAtFirstSign } from '../../ui/floating/load.ts';
import { Overlays } from '../../ui/floating/overlays.tsx';
import { useMedia } from '../../ui/layout/use-media.ts';
import { Strip } from '../../ui/messages/strip.tsx';
import { styled } from '../../ui/theme/styled.ts';
import { EarlySearchInput } from '../palette/early-search.tsx';
import { Band } from './band.tsx';
import { PartFailed, ScreenFailed } from './failed.tsx';
import classes from './frame.module.css';
import { frameCommands, screenCommand, viewWebsite } from './frame-commands.ts';
import { NoScreen } from './lazy-screens.ts';
import type { NavigationGroup } from './navigation.ts';

const SessionEnded = lazy(async () => ({
  default: (await styled(() => import('../sign-in/ended-dialog.tsx'))).SessionEndedDialog,
}));
const Confirm = lazy(async () => ({
  default: (await styled(() => import('../sign-in/confirm-dialog.tsx'))).ConfirmDialog,
}));
const Palette = lazy(async () => ({
  default: (await styled(() => import('../palette/palette.tsx'))).Palette,
}));
const Shortcuts = lazy(async () => ({
  default: (await styled(() => import('./shortcuts.tsx'))).Shortcuts,
}));
const NewSite = lazy(async () => ({
  default: (await styled(() => import('./new-site.tsx'))).NewSite,
}));
const ApiCalls = lazy(async () => ({
  default: (await styled(() => import('../../kit/api-calls/api-calls-dialog.tsx'))).ApiCallsDialog,
}));
const Trays = lazy(async () => ({
  default: (await styled(() => import('./trays.tsx'))).Trays,
}));

/** What surrounds every screen. */
export function Frame({ navigation }: { readonly navigation: readonly NavigationGroup[] }) {
  const { data: session } = useSession();
  const site = useCurrentSite();
  const isRenewalNeeded = useShared(sessionRenewal.isNeeded);
  const isConfirmationNeeded = useShared(confirmation.isNeeded);
  const [isChosenNarrow, setChosenNarrow] = useLocalStorage({ key: 'ic-band', defaultValue: false });
  const isTight = useMedia('(max-width: 1439px)');
  const isNarrow = isChosenNarrow || isTight;
  const hasUploads = useSignal(uploadSignal);
  const hasJobs = useSignal(jobSignal);
  useEffect(startLiveUpdates, []);
  useEffect(loadFloatingAtFirstSign, []);
  useEffect(() => {
    if (site !== undefined) noteSite(site);
  }, [site]);
  const screens = navigation
    .flatMap(({ entries }) => entries)
    .map(({ id, label, icon, path }) => screenCommand(id, label, icon, path(site ?? 0)));
  const { data: pages } = usePageTree();
  const home = pages?.find(({ id }) => id === site);
  const view = home === undefined ? undefined : viewWebsite(home);
  useCommands([
    ...Object.values(frameCommands),
    ...(view === undefined ? [] : [view]),
    ...(site === undefined ? [] : screens),
  ]);
  return (
    <div className={classes['frame']}>
      <a className={classes['skip']} href="#main">
        {t('frame.skip')}
      </a>
      <Band
        navigation={navigation}
        view={view}
        isNarrow={isNarrow}
        onToggle={() => setChosenNarrow(!isChosenNarrow)}
      />
      <main className={classes['content']}>
        <div id="main" className={classes['main']} tabIndex={-1}>
          <NewerServer />
          <CatchBoundary getResetKey={() => location.pathname} errorComponent={ScreenFailed}>
            <Screen />
          </CatchBoundary>
        </div>
        <Overlays />
      </main>
      {isRenewalNeeded && (
        <Suspense>
          <SessionEnded username={session?.user?.username ?? ''} />
        </Suspense>
      )}
      {isConfirmationNeeded && (
        <Suspense>
          <Confirm />
        </Suspense>
      )}
      {(hasUploads || hasJobs) && (
        <CatchBoundary getResetKey={() => ''} errorComponent={PartFailed}>
          <Suspense>
            <Trays />
          </Suspense>
        </CatchBoundary>
      )}
      <OpenDialog />
    </div>
  );
}

/** The screen of the address, unless it is one of a website that does not exist. */
function Screen() {
  const { root }: { readonly root?: string } = useParams({ strict: false });
  const { data: pages, isFetching } = usePageTree();
  const isKnown = root === undefined || isFetching || pages?.some(({ id }) => String(id) === root) !== false;
  return isKnown ? <Outlet /> : <NoScreen isOfSite />;
}

const frameDialogs = {
  palette: Palette,
  shortcuts: Shortcuts,
  newSite: NewSite,
  apiCalls: ApiCalls,
} as const;

function OpenDialog() {
  const open = useOpenDialog();
  if (open === undefined) return null;
  const close = () => closeDialog(open);
  const Named = typeof open === 'string' ? frameDialogs[open] : undefined;
  return (
    <CatchBoundary getResetKey={() => String(open)} errorComponent={PartFailed}>
      <Suspense fallback={open === 'palette' && <EarlySearchInput onClose={close} />}>
        {Named !== undefined && <Named onClose={close} />}
        {typeof open === 'function' && open(close)}
      </Suspense>
    </CatchBoundary>
  );
}

/** Tells that the server was updated. Input is kept in the browser, so loading again is safe. */
function NewerServer() {
  const isNewer = useShared(isServerNewer);
  if (!isNewer) return null;
  return (
    <Strip
      actions={
        <Button size="compact-sm" variant="default" onClick={() => location.reload()}>
          {t('frame.reload')}
        </Button>
      }
    >
      {t('frame.newerServer')}
    </Strip>
  );
}
