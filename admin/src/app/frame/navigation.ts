import type { TextKey } from '../../base/i18n/index.ts';
import { paths } from '../../base/router/paths.ts';
import type { IconName } from '../../ui/icons/icons.ts';

export interface NavigationEntry {
  readonly id: string;
  readonly label: TextKey;
  readonly icon: IconName;
  /** Addresses below its own belong to others. */
  readonly isExact?: boolean;
  /** @param site the chosen website */
  path(site: number): string;
}

export interface NavigationGroup {
  readonly label: TextKey;
  readonly entries: readonly NavigationEntry[];
}

/** The entries of the band. An entry comes with its screen, so there is none that leads nowhere. */
export const navigation: readonly NavigationGroup[] = [
  {
    label: 'nav.start',
    entries: [
      { id: 'dashboard', label: 'nav.dashboard', icon: 'gauge', isExact: true, path: () => paths.start() },
    ],
  },
  {
    label: 'nav.content',
    entries: [
      { id: 'pages', label: 'nav.pages', icon: 'tree-structure', path: paths.pages },
      { id: 'collections', label: 'nav.collections', icon: 'table', path: paths.collections },
      { id: 'globals', label: 'nav.globals', icon: 'stack', path: paths.globalBlocks },
      { id: 'media', label: 'nav.media', icon: 'images', path: () => paths.media() },
    ],
  },
  {
    label: 'nav.build',
    entries: [
      { id: 'snippets', label: 'code.snippet.title', icon: 'puzzle-piece', path: paths.snippets },
      { id: 'assets', label: 'code.asset.title', icon: 'code', path: paths.assets },
      { id: 'pens', label: 'nav.pens', icon: 'flask', path: paths.pens },
      { id: 'sources', label: 'nav.sources', icon: 'plugs-connected', path: paths.sources },
    ],
  },
  {
    label: 'nav.traffic',
    entries: [
      {
        id: 'statistics',
        label: 'nav.statistics',
        icon: 'chart-line',
        path: (site) => paths.statistics(site),
      },
      { id: 'redirects', label: 'nav.redirects', icon: 'path', path: paths.redirects },
    ],
  },
  {
    label: 'nav.automation',
    entries: [
      { id: 'workflows', label: 'nav.workflows', icon: 'flow-arrow', path: paths.workflows },
      { id: 'import', label: 'nav.import', icon: 'download-simple', path: () => paths.imports() },
    ],
  },
  {
    label: 'nav.operation',
    entries: [
      { id: 'webhooks', label: 'nav.webhooks', icon: 'webhooks-logo', path: paths.webhooks },
      { id: 'system', label: 'nav.system', icon: 'gear', path: () => paths.system() },
    ],
  },
];
