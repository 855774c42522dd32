import { paths } from '../app/paths.ts';
import type { TextKey } from '../i18n/index.ts';
import type { IconName } from '../ui/icons.ts';

export interface NavigationEntry {
  readonly id: string;
  readonly label: TextKey;
  readonly icon: IconName;
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
    label: 'nav.content',
    entries: [{ id: 'pages', label: 'nav.pages', icon: 'tree-structure', path: paths.pages }],
  },
];
