import { t } from '../../../base/i18n/index.ts';
import type { Command } from '../../../commands/command.ts';
import { EditorStore } from '../../../editing/editor-store.ts';
import type { Fields } from '../../../editing/merge/fields.ts';
import { saveChanges } from '../../../editing/save.ts';
import { type PageEditing, pageRequests } from '../store/page-store.ts';

interface PublishCommands {
  /** Saves and publishes. */
  readonly publish: Command;
  readonly unpublish: Command;
}

/** Publishing of the page in the editor. */
export function publishCommands({ store, copying }: Pick<PageEditing, 'store' | 'copying'>): PublishCommands {
  const save = (isStrict: boolean, more: Fields = {}) =>
    saveChanges(store, pageRequests(store, isStrict), more);
  // Visitors lose the page at once; what waits of it goes on waiting.
  const liveStore = copying === undefined ? store : new EditorStore(copying.live);
  const setPublished = (published: boolean) =>
    saveChanges(liveStore, pageRequests(liveStore, false), { published });
  const isIdle = () => store.state.kind !== 'saving' && store.state.kind !== 'conflict';
  return {
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
          message: t('page.published', { count: 1, title: store.base.title }),
          undo: () => save(false, { published: false }),
        };
      },
    },
    unpublish: {
      id: 'page.unpublish',
      label: 'page.unpublish',
      icon: 'eye-slash',
      can: () => isIdle() && liveStore.base.published,
      run: async () => {
        if (!(await setPublished(false))) return undefined;
        return {
          message: t('page.unpublished', { count: 1, title: store.base.title }),
          undo: () => setPublished(true),
        };
      },
    },
  };
}
