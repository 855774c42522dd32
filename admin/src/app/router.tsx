import { type AnyRoute, createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { history } from '../base/router/history.ts';
import { base } from '../base/router/paths.ts';
import { setPreload } from '../base/router/preload.ts';
import { ScreenFailed } from './frame/failed.tsx';
import { NoScreen } from './frame/lazy-screens.ts';
import { type Screen, screens } from './screens.ts';
import { Start } from './start.tsx';

const root = createRootRoute({ component: Start });

/** The routes of a screen: one for each of its addresses. */
function routesOf({ addresses, component, inner }: Screen, parent: AnyRoute): AnyRoute[] {
  return addresses.map((path) => {
    const route = createRoute({ getParentRoute: () => parent, path, component });
    return inner.length === 0 ? route : route.addChildren(inner.flatMap((part) => routesOf(part, route)));
  });
}

export const router = createRouter({
  routeTree: root.addChildren(screens.flatMap((screen) => routesOf(screen, root))),
  basepath: base,
  history,
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultPendingMs: 300,
  defaultErrorComponent: ScreenFailed,
  defaultNotFoundComponent: () => <NoScreen />,
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
