import { Button } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { CatchBoundary, Outlet, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { startLiveUpdates } from '../../api/live.ts';
import { isServerNewer } from '../../api/server-build.ts';
import { useRights } from '../../api/session/rights.ts';
import { t } from '../../base/i18n/index.ts';
import { useShared } from '../../base/shared-value.ts';
import { useCommands } from '../../commands/registry.ts';
import { noteSite, useCurrentSite } from '../../content/current-site.ts';
import { jobSignal, uploadSignal, useSignal } from '../../content/jobs/signal.ts';
import { usePageTree } from '../../content/pages.ts';
import { loadFloatingAtFirstSign } from '../../ui/floating/load.ts';
import { Overlays } from '../../ui/floating/overlays.tsx';
import { useMedia } from '../../ui/layout/use-media.ts';
import { Strip } from '../../ui/messages/strip.tsx';
import { styled } from '../../ui/theme/styled.ts';
import { Band } from './band.tsx';
import { PartFailed, ScreenFailed } from './failed.tsx';
import classes from './frame.module.css';
import { frameCommands, screenCommand, viewWebsite } from './frame-commands.ts';
import { NoScreen } from './lazy-screens.ts';
import { type NavigationGroup, needsOfSites } from './navigation.ts';

const Trays = lazy(async () => ({
  default: (await styled(() => import('./notices/trays.tsx'))).Trays,
}));

/** What surrounds every screen. */
export function Frame({ navigation }: { readonly navigation: readonly NavigationGroup[] }) {
  const site = useCurrentSite();
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
  const groups = useReachable(navigation, site);
  const screens = groups
    .flatMap(({ entries }) => entries)
    .map(({ id, label, icon, path }) => screenCommand(id, label, icon, path(site ?? 0)));
  const mayMakeSites = useRights()(needsOfSites);
  const { data: pages } = usePageTree();
  const home = pages?.find(({ id }) => id === site);
  const view = home === undefined ? undefined : viewWebsite(home);
  useCommands([
    ...Object.values(frameCommands).filter((command) => command !== frameCommands.newSite || mayMakeSites),
    ...(view === undefined ? [] : [view]),
    ...screens,
  ]);
  return (
    <div className={classes['frame']}>
      <a className={classes['skip']} href="#main">
        {t('frame.skip')}
      </a>
      <Band
        navigation={groups}
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
      {(hasUploads || hasJobs) && (
        <CatchBoundary getResetKey={() => ''} errorComponent={PartFailed}>
          <Suspense>
            <Trays />
          </Suspense>
        </CatchBoundary>
      )}
    </div>
  );
}

/** What the person may do something with. Screens of a website need one. */
function useReachable(
  navigation: readonly NavigationGroup[],
  site: number | undefined,
): readonly NavigationGroup[] {
  const may = useRights();
  return navigation
    .map(({ label, entries }) => ({
      label,
      entries: entries.filter(({ needs, path }) => may(needs) && (site !== undefined || path(0) === path(1))),
    }))
    .filter(({ entries }) => entries.length > 0);
}

/** The screen of the address, unless it is one of a website that does not exist. */
function Screen() {
  const { root }: { readonly root?: string } = useParams({ strict: false });
  const { data: pages, isFetching } = usePageTree();
  const isKnown = root === undefined || isFetching || pages?.some(({ id }) => String(id) === root) !== false;
  return isKnown ? <Outlet /> : <NoScreen isOfSite />;
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
