import { queryClient } from '../../../api/query-client.ts';
import { text } from '../../../base/i18n/index.ts';
import type { Command } from '../../../commands/command.ts';
import { updatePage } from '../../../content/page-requests.ts';
import { type Page, pageQuery } from '../../../content/pages.ts';
import { discardCommand } from '../../../editing/discard.ts';
import type { Fields } from '../../../editing/fields.ts';
import { saveChanges } from '../../../editing/save.ts';
import { saveAnywayCommand } from '../../../editing/strict-save.ts';
import type { PageStore } from '../store/page-store.ts';

/** Saving and publishing of the page in the editor. */
export interface EditorCommands {
  /** Saves: a live page changes for visitors at once. */
  readonly save: Command;
  /** Saves and publishes. */
  readonly publish: Command;
  readonly unpublish: Command;
  readonly discard: Command;
  /** Saves in spite of findings with which visitors would see an error page. */
  readonly saveAnyway: Command;
}

export function editorCommands(store: PageStore): EditorCommands {
  const id = store.base.id;
  const save = (isStrict: boolean, more: Fields = {}) =>
    saveChanges(
      store,
      {
        // Type boundary: the editor holds fields of a page, by their names.
        send: async (fields) => ({
          ...store.base,
          ...(await updatePage(id, fields as Partial<Page>, isStrict)),
        }),
        load: () => queryClient.fetchQuery({ ...pageQuery(id), staleTime: 0 }),
      },
      more,
    );
  const isIdle = () => store.state.kind !== 'saving' && store.state.kind !== 'conflict';
  return {
    save: {
      id: 'page.save',
      label: store.base.published ? 'page.updateLive' : 'page.saveDraft',
      icon: 'check',
      keys: 'mod+S',
      can: () => isIdle() && store.isChanged,
      run: async () => void (await save(true)),
    },
    publish: {
      id: 'page.publish',
      label: 'page.publish',
      icon: 'rocket-launch',
      keys: 'mod+Enter',
      can: () => isIdle() && (!store.base.published || store.isChanged),
      run: async () => {
        if (store.base.published) return void (await save(true));
        if (!(await save(true, { published: true }))) return undefined;
        return {
          message: text('page.published', { count: 1, title: store.base.title }),
          undo: () => save(false, { published: false }),
        };
      },
    },
    unpublish: {
      id: 'page.unpublish',
      label: 'page.unpublish',
      icon: 'eye-slash',
      can: () => isIdle() && store.base.published,
      run: async () => {
        if (!(await save(false, { published: false }))) return undefined;
        return {
          message: text('page.unpublished', { count: 1, title: store.base.title }),
          undo: () => save(false, { published: true }),
        };
      },
    },
    discard: discardCommand(store),
    saveAnyway: saveAnywayCommand(() => save(false)),
  };
}
