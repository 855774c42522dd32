import { useSession } from '../../../api/session.ts';
import { type Page, usePage } from '../../../content/pages.ts';
import type { EditorStore } from '../../../editing/editor-store.ts';
import { type OpenObject, useOpenObject } from '../../../editing/open-object.ts';

export type PageStore = EditorStore<Page>;

/** What each tab gets. */
export interface TabProps {
  readonly store: PageStore;
}

export interface OpenPage extends OpenObject<Page> {
  readonly error: unknown;
}

/** The editor of a page. */
export function useOpenPage(id: number): OpenPage {
  const { data: page, error } = usePage(id);
  const { data: session } = useSession();
  return { ...useOpenObject(session?.user?.id ?? 0, 'page', id, page), error };
}
