import { queryClient } from '../../../api/query-client.ts';
import { updatePage } from '../../../content/page-requests.ts';
import { type Page, pageQuery, usePage } from '../../../content/pages.ts';
import type { EditorStore } from '../../../editing/editor-store.ts';
import { type Fields, toFieldRecord } from '../../../editing/merge/fields.ts';
import type { SaveRequests } from '../../../editing/save.ts';
import { type Editor, useEditor } from '../../../editing/use-editor.ts';
import { findChangedWords } from './words.ts';

export type PageStore = EditorStore<Page>;
export type PageEditing = Editor<Page>;

/** What each tab gets. */
export interface TabProps {
  readonly store: PageStore;
}

interface OpenPage {
  /** Undefined until the page is loaded. */
  readonly editor: PageEditing | undefined;
  readonly error: unknown;
}

/** The editor of a page. */
export function usePageEditor(id: number): OpenPage {
  const { data: page, error } = usePage(id);
  const editor = useEditor<Page>({
    kind: 'page',
    id,
    value: page,
    // A live page changes for visitors at once.
    save: { id: 'page.save', label: ({ published }) => (published ? 'page.updateLive' : 'page.saveDraft') },
    requests: pageRequests,
    release: {
      kind: 'page',
      path: `/pages/${id}`,
      firstPublication: ({ published }) => (published ? undefined : { published: true }),
      toBody: (base, fields) => toFieldRecord(toSent(base, fields)),
    },
  });
  return { editor, error };
}

export function pageRequests(store: PageStore, isStrict: boolean): SaveRequests<Page> {
  const { id } = store.base;
  return {
    send: async (fields) => ({
      ...store.base,
      ...(await updatePage(id, toSent(store.base, fields), isStrict)),
    }),
    // What the server had before may have warnings.
    sendBack: async (fields) => ({
      ...store.base,
      ...(await updatePage(id, toSent(store.base, fields), false)),
    }),
    kind: 'page',
    load: () => queryClient.fetchQuery({ ...pageQuery(id), staleTime: 0 }),
  };
}

/** Changed fields as the API takes them: of the words only those that differ. */
export function toSent(base: Page, fields: Fields): Partial<Page> {
  // Type boundary: the editor holds fields of a page, by their names.
  const changes = fields as Partial<Page>;
  if (changes.regions === undefined) return changes;
  return { ...changes, regions: findChangedWords(base.regions, changes.regions) };
}
