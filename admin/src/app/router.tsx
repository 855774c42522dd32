import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { history } from './history.ts';
import { base } from './paths.ts';
import { setPreload } from './preload.ts';
import { Start } from './start.tsx';

const root = createRootRoute({ component: Start });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./home.tsx'), 'Home'),
});
const pages = createRoute({
  getParentRoute: () => root,
  path: 's/$root/pages',
  component: lazyRouteComponent(() => import('../pages/pages-screen.tsx'), 'PagesScreen'),
});
const noPage = createRoute({
  getParentRoute: () => pages,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/no-page.tsx'), 'NoPage'),
});
const page = createRoute({
  getParentRoute: () => pages,
  path: '$page/$tab',
  component: lazyRouteComponent(() => import('../pages/editor/page-editor.tsx'), 'PageEditor'),
});

const redirects = createRoute({
  getParentRoute: () => root,
  path: 's/$root/redirects',
  component: lazyRouteComponent(() => import('../redirects/redirects-screen.tsx'), 'RedirectsScreen'),
});

const snippets = ['snippets', 'snippets/$id'].map((path) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(() => import('../snippets/snippets-screen.tsx'), 'SnippetsScreen'),
  }),
);
const assets = ['code', 'code/$id'].map((path) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(() => import('../assets/assets-screen.tsx'), 'AssetsScreen'),
  }),
);

export const router = createRouter({
  routeTree: root.addChildren([home, redirects, ...snippets, ...assets, pages.addChildren([noPage, page])]),
  basepath: base,
  history,
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultPendingMs: 300,
});

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: typeof router;
  }
}

setPreload((path) => {
  const matched = router.matchRoutes(path.slice(base.length).split('?', 1)[0] ?? '/', {});
  for (const { routeId } of matched) void router.loadRouteChunk(router.routesById[routeId]);
});
