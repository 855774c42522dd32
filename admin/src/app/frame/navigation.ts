import type { Need } from '../../api/session/rights.ts';
import type { TextKey } from '../../base/i18n/index.ts';
import type { IconName } from '../../ui/icons/icons.ts';

/** A screen in the band. */
export interface NavigationEntry {
  readonly id: string;
  readonly label: TextKey;
  readonly icon: IconName;
  /** Addresses below its own belong to others. */
  readonly isExact?: boolean;
  /** One of these rights; without any it is for everybody. */
  readonly needs?: readonly Need[];
  /** @param site the chosen website */
  path(site: number): string;
}

export interface NavigationGroup {
  readonly label: TextKey;
  readonly entries: readonly NavigationEntry[];
}

/** What whoever makes a website needs. */
export const needsOfSites: readonly Need[] = [{ action: 'settings' }];
