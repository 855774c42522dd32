import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  type RouteComponent,
} from '@tanstack/react-router';
import { useRights } from '../api/session/rights.ts';
import { useLanguage } from '../base/i18n/index.ts';
import { history } from '../base/router/history.ts';
import { base } from '../base/router/paths.ts';
import { setPreload } from '../base/router/preload.ts';
import { ScreenFailed } from './frame/failed.tsx';
import { NoScreen } from './frame/lazy-screens.ts';
import { NoRight } from './frame/no-right.tsx';
import { type Screen, screens } from './screens.ts';
import { Start } from './start.tsx';

const root = createRootRoute({ component: Start });

/** A route is not drawn again with what is around it, so it follows the language itself. */
function inLanguage(Screen: RouteComponent): RouteComponent {
  const Shown = () => {
    useLanguage();
    return <Screen />;
  };
  // What loads its code stays with it.
  return Object.assign(Shown, Screen);
}

/** Shows which right is missing in place of a screen that only asks for what the server refuses. */
function withRights(Screen: RouteComponent, needs: Screen['needs']): RouteComponent {
  if (needs === undefined) return Screen;
  const Shown = () => (useRights()(needs) ? <Screen /> : <NoRight needs={needs} />);
  return Object.assign(Shown, Screen);
}

/** The routes of a screen: one for each of its addresses. */
function routesOf({ addresses, component, inner, needs }: Screen, parent: AnyRoute): AnyRoute[] {
  // One for all its addresses, so that a screen keeps its state from one to the next.
  const shown = inLanguage(withRights(component, needs));
  return addresses.map((path) => {
    const route = createRoute({ getParentRoute: () => parent, path, component: shown });
    return inner.length === 0 ? route : route.addChildren(inner.flatMap((part) => routesOf(part, route)));
  });
}

/** Shown in place of everything else, so it has no screen of its own. */
const invitation = createRoute({ getParentRoute: () => root, path: 'invitation' });

export const router = createRouter({
  routeTree: root.addChildren([...screens.flatMap((screen) => routesOf(screen, root)), invitation]),
  basepath: base,
  history,
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultPendingMs: 300,
  defaultErrorComponent: inLanguage(ScreenFailed),
  defaultNotFoundComponent: inLanguage(NoScreen),
});

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: typeof router;
  }
}

setPreload((path) => {
  const matched = router.matchRoutes(path.slice(base.length).split('?', 1)[0] ?? '/', {});
  for (const { routeId } of matched) {
    const route = router.routesById[routeId];
    if (route !== undefined) void router.loadRouteChunk(route);
  }
});
