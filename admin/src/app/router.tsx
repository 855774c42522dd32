import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router';
import { history } from '../base/router/history.ts';
import { base } from '../base/router/paths.ts';
import { setPreload } from '../base/router/preload.ts';
import { styled } from '../ui/theme/styled.ts';
import { ScreenFailed } from './frame/failed.tsx';
import { NoScreen } from './frame/lazy-screens.ts';
import { Start } from './start.tsx';

const root = createRootRoute({ component: Start });

/** A screen at one address or several, whose code comes when it is shown. */
function screen<Name extends string>(
  addresses: readonly string[],
  load: () => Promise<Record<Name, RouteComponent>>,
  name: Name,
) {
  const component = lazyRouteComponent(() => styled(load), name);
  return addresses.map((path) => createRoute({ getParentRoute: () => root, path, component }));
}

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('../screens/dashboard/dashboard-screen.tsx'), 'DashboardScreen'),
});
const pages = createRoute({
  getParentRoute: () => root,
  path: 's/$root/pages',
  component: lazyRouteComponent(
    () => styled(() => import('../screens/pages/pages-screen.tsx')),
    'PagesScreen',
  ),
});
const noPage = createRoute({
  getParentRoute: () => pages,
  path: '/',
  component: lazyRouteComponent(() => import('../screens/pages/no-page.tsx'), 'NoPage'),
});
const page = createRoute({
  getParentRoute: () => pages,
  path: '$page/$tab',
  component: lazyRouteComponent(() => import('../screens/pages/editor/page-editor.tsx'), 'PageEditor'),
});

const screens = [
  screen(
    ['s/$root/statistics'],
    () => import('../screens/statistics/statistics-screen.tsx'),
    'StatisticsScreen',
  ),
  screen(
    ['s/$root/languages'],
    () => import('../screens/pages/languages/languages-screen.tsx'),
    'LanguagesScreen',
  ),
  screen(['s/$root/redirects'], () => import('../screens/redirects/redirects-screen.tsx'), 'RedirectsScreen'),
  screen(['snippets', 'snippets/$id'], () => import('../screens/code/snippets-screen.tsx'), 'SnippetsScreen'),
  screen(['code', 'code/$id'], () => import('../screens/code/assets-screen.tsx'), 'AssetsScreen'),
  screen(
    ['global-blocks', 'global-blocks/$id'],
    () => import('../screens/global-blocks/global-blocks-screen.tsx'),
    'GlobalBlocksScreen',
  ),
  screen(['media'], () => import('../screens/media/media-screen.tsx'), 'MediaScreen'),
  screen(
    ['collections', 'collections/$ref', 'collections/$ref/$part'],
    () => import('../screens/collections/collections-screen.tsx'),
    'CollectionsScreen',
  ),
  screen(
    ['collection-import'],
    () => import('../screens/collections/csv/new-import-screen.tsx'),
    'NewImportScreen',
  ),
  screen(['sources', 'sources/$id'], () => import('../screens/sources/sources-screen.tsx'), 'SourcesScreen'),
  screen(['pens', 'pen/$ref'], () => import('../screens/pens/pens-screen.tsx'), 'PensScreen'),
  screen(
    ['webhooks', 'webhooks/$id'],
    () => import('../screens/webhooks/webhooks-screen.tsx'),
    'WebhooksScreen',
  ),
  screen(
    ['workflows', 'workflows/$id', 'workflows/$id/$tab'],
    () => import('../screens/workflows/workflows-screen.tsx'),
    'WorkflowsScreen',
  ),
  screen(
    ['import', 'import/$id', 'import/$id/$tab'],
    () => import('../screens/imports/imports-screen.tsx'),
    'ImportsScreen',
  ),
  screen(
    ['workflows/custom-nodes', 'workflows/custom-nodes/$id', 'workflows/custom-nodes/$id/$tab'],
    () => import('../screens/workflows/flow-nodes/flow-nodes-screen.tsx'),
    'FlowNodesScreen',
  ),
  screen(
    ['workflows/databases', 'workflows/databases/$name', 'workflows/databases/$name/$table'],
    () => import('../screens/databases/databases-screen.tsx'),
    'DatabasesScreen',
  ),
  screen(
    ['system/api', 'system/api/$operation'],
    () => import('../screens/system/api-reference/reference-screen.tsx'),
    'ReferenceScreen',
  ),
  screen(['system', 'system/$section'], () => import('../screens/system/system-screen.tsx'), 'SystemScreen'),
].flat();

export const router = createRouter({
  routeTree: root.addChildren([home, ...screens, pages.addChildren([noPage, page])]),
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
  for (const { routeId } of matched) void router.loadRouteChunk(router.routesById[routeId]);
});
