import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import type { Need } from '../api/session/rights.ts';
import { paths } from '../base/router/paths.ts';
import { styled } from '../ui/theme/styled.ts';
import type { NavigationEntry, NavigationGroup } from './frame/navigation.ts';

const ofCode: readonly Need[] = [{ action: 'code' }];
const ofWorkflows: readonly Need[] = [{ action: 'code' }, { action: 'run' }];
const ofSettings: readonly Need[] = [{ action: 'settings' }];
const ofSystem: readonly Need[] = [{ action: 'settings' }, { action: 'users' }];

/** A screen: where it is shown, and its place in the band, if it has one. */
export interface Screen {
  readonly addresses: readonly string[];
  readonly component: RouteComponent;
  readonly entry: NavigationEntry | undefined;
  /** What it shows at addresses below its own. */
  readonly inner: readonly Screen[];
  /** Without one of these rights it says which is missing. */
  readonly needs?: readonly Need[];
}

interface ScreenGroup {
  readonly label: NavigationGroup['label'];
  readonly screens: readonly Screen[];
}

type Load<Name extends string> = () => Promise<Record<Name, RouteComponent>>;

/** A screen whose code comes when it is shown. */
function bare<Name extends string>(
  addresses: readonly string[],
  load: Load<Name>,
  name: Name,
  entry?: NavigationEntry,
): Screen {
  return { addresses, component: lazyRouteComponent(load, name), entry, inner: [] };
}

/** A screen that also needs the styles that the first one does without. */
function screen<Name extends string>(
  addresses: readonly string[],
  load: Load<Name>,
  name: Name,
  entry?: NavigationEntry,
): Screen {
  return bare(addresses, () => styled(load), name, entry);
}

/** A screen that shows nothing to those without a right. */
function closed(needs: readonly Need[], open: Screen): Screen {
  return { ...open, needs, entry: open.entry && { ...open.entry, needs } };
}

/** All screens in the groups and the order of the band. */
const screenGroups: readonly ScreenGroup[] = [
  {
    label: 'nav.start',
    screens: [
      bare(['/'], () => import('../screens/dashboard/dashboard-screen.tsx'), 'DashboardScreen', {
        id: 'dashboard',
        label: 'nav.dashboard',
        icon: 'gauge',
        isExact: true,
        path: paths.start,
      }),
    ],
  },
  {
    label: 'nav.content',
    screens: [
      {
        ...screen(['s/$root/pages'], () => import('../screens/pages/pages-screen.tsx'), 'PagesScreen', {
          id: 'pages',
          needs: [{ action: 'read', kind: 'page' }],
          label: 'nav.pages',
          icon: 'tree-structure',
          path: paths.pages,
        }),
        inner: [
          bare(['/'], () => import('../screens/pages/no-page.tsx'), 'NoPage'),
          bare(['$page/$tab'], () => import('../screens/pages/editor/page-editor.tsx'), 'PageEditor'),
        ],
      },
      screen(
        ['s/$root/languages'],
        () => import('../screens/pages/languages/languages-screen.tsx'),
        'LanguagesScreen',
      ),
      screen(
        ['collections', 'collections/$ref', 'collections/$ref/$part'],
        () => import('../screens/collections/collections-screen.tsx'),
        'CollectionsScreen',
        {
          id: 'collections',
          needs: [{ action: 'read', kind: 'item' }],
          label: 'nav.collections',
          icon: 'table',
          path: paths.collections,
        },
      ),
      screen(
        ['collection-import'],
        () => import('../screens/collections/csv/new-import-screen.tsx'),
        'NewImportScreen',
      ),
      screen(
        ['global-blocks', 'global-blocks/$id'],
        () => import('../screens/global-blocks/global-blocks-screen.tsx'),
        'GlobalBlocksScreen',
        {
          id: 'globals',
          needs: [{ action: 'read', kind: 'global_block' }],
          label: 'nav.globals',
          icon: 'stack',
          path: paths.globalBlocks,
        },
      ),
      screen(
        ['releases', 'releases/$id'],
        () => import('../screens/releases/releases-screen.tsx'),
        'ReleasesScreen',
        {
          id: 'releases',
          needs: [{ action: 'edit' }],
          label: 'nav.releases',
          icon: 'clock',
          path: paths.releases,
        },
      ),
      screen(['media'], () => import('../screens/media/media-screen.tsx'), 'MediaScreen', {
        id: 'media',
        needs: [{ action: 'read', kind: 'file' }],
        label: 'nav.media',
        icon: 'images',
        path: () => paths.media(),
      }),
    ],
  },
  {
    label: 'nav.build',
    screens: [
      screen(
        ['snippets', 'snippets/$id'],
        () => import('../screens/code/snippets-screen.tsx'),
        'SnippetsScreen',
        {
          id: 'snippets',
          needs: ofCode,
          label: 'code.snippet.title',
          icon: 'puzzle-piece',
          path: paths.snippets,
        },
      ),
      screen(['code', 'code/$id'], () => import('../screens/code/assets-screen.tsx'), 'AssetsScreen', {
        id: 'assets',
        needs: ofCode,
        label: 'code.asset.title',
        icon: 'code',
        path: paths.assets,
      }),
      screen(['pens', 'pen/$ref'], () => import('../screens/pens/pens-screen.tsx'), 'PensScreen', {
        id: 'pens',
        needs: ofCode,
        label: 'nav.pens',
        icon: 'flask',
        path: paths.pens,
      }),
      screen(
        ['sources', 'sources/$id'],
        () => import('../screens/sources/sources-screen.tsx'),
        'SourcesScreen',
        { id: 'sources', needs: ofCode, label: 'nav.sources', icon: 'plugs-connected', path: paths.sources },
      ),
    ],
  },
  {
    label: 'nav.traffic',
    screens: [
      screen(
        ['s/$root/statistics'],
        () => import('../screens/statistics/statistics-screen.tsx'),
        'StatisticsScreen',
        {
          id: 'statistics',
          needs: [{ action: 'read', kind: 'page' }],
          label: 'nav.statistics',
          icon: 'chart-line',
          path: (site) => paths.statistics(site),
        },
      ),
      screen(
        ['s/$root/redirects'],
        () => import('../screens/redirects/redirects-screen.tsx'),
        'RedirectsScreen',
        {
          id: 'redirects',
          needs: [{ action: 'read', kind: 'redirect' }],
          label: 'nav.redirects',
          icon: 'path',
          path: paths.redirects,
        },
      ),
    ],
  },
  {
    label: 'nav.automation',
    screens: [
      screen(
        ['workflows', 'workflows/$id', 'workflows/$id/$tab'],
        () => import('../screens/workflows/workflows-screen.tsx'),
        'WorkflowsScreen',
        {
          id: 'workflows',
          needs: ofWorkflows,
          label: 'nav.workflows',
          icon: 'flow-arrow',
          path: paths.workflows,
        },
      ),
      screen(
        ['workflows/custom-nodes', 'workflows/custom-nodes/$id', 'workflows/custom-nodes/$id/$tab'],
        () => import('../screens/workflows/flow-nodes/flow-nodes-screen.tsx'),
        'FlowNodesScreen',
      ),
      closed(
        ofSettings,
        screen(
          ['workflows/databases', 'workflows/databases/$name', 'workflows/databases/$name/$table'],
          () => import('../screens/databases/databases-screen.tsx'),
          'DatabasesScreen',
        ),
      ),
      closed(
        ofSettings,
        screen(
          ['import', 'import/$id', 'import/$id/$tab'],
          () => import('../screens/imports/imports-screen.tsx'),
          'ImportsScreen',
          { id: 'import', label: 'nav.import', icon: 'download-simple', path: () => paths.imports() },
        ),
      ),
    ],
  },
  {
    label: 'nav.operation',
    screens: [
      closed(
        ofSettings,
        screen(
          ['webhooks', 'webhooks/$id'],
          () => import('../screens/webhooks/webhooks-screen.tsx'),
          'WebhooksScreen',
          { id: 'webhooks', label: 'nav.webhooks', icon: 'webhooks-logo', path: paths.webhooks },
        ),
      ),
      screen(['trash'], () => import('../screens/trash/trash-screen.tsx'), 'TrashScreen', {
        id: 'trash',
        needs: [{ action: 'delete' }],
        label: 'nav.trash',
        icon: 'trash',
        path: paths.trash,
      }),
      screen(
        ['system', 'system/$section', 'system/$section/$id'],
        () => import('../screens/system/system-screen.tsx'),
        'SystemScreen',
        { id: 'system', needs: ofSystem, label: 'nav.system', icon: 'gear', path: () => paths.system() },
      ),
      screen(
        ['system/api', 'system/api/$operation'],
        () => import('../screens/system/api-reference/reference-screen.tsx'),
        'ReferenceScreen',
      ),
    ],
  },
];

export const screens: readonly Screen[] = screenGroups.flatMap((group) => group.screens);

/** The groups of the band. An entry comes with its screen, so there is none that leads nowhere. */
export const navigation: readonly NavigationGroup[] = screenGroups.map(({ label, screens }) => ({
  label,
  entries: screens.flatMap(({ entry }) => entry ?? []),
}));
