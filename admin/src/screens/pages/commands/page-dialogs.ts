import { SharedValue, useShared } from '../../../base/shared-value.ts';
import type { PageTreeEntry } from '../../../content/pages.ts';

/** A dialog about pages that a command has opened. */
export type PageDialog =
  | { readonly kind: 'new'; readonly parent: PageTreeEntry }
  | { readonly kind: 'move'; readonly page: PageTreeEntry }
  | { readonly kind: 'reimport'; readonly page: Pick<PageTreeEntry, 'id' | 'title'> }
  | { readonly kind: 'delete'; readonly pages: readonly PageTreeEntry[] };

const open = new SharedValue<PageDialog | undefined>(undefined);

export const openPageDialog: (dialog: PageDialog | undefined) => void = open.set;

export function usePageDialog(): PageDialog | undefined {
  return useShared(open);
}
