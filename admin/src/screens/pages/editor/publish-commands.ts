import { t } from '../../../base/i18n/index.ts';
import type { Command } from '../../../commands/command.ts';
import type { Fields } from '../../../editing/fields.ts';
import { saveChanges } from '../../../editing/save.ts';
import { type PageStore, pageRequests } from '../store/page-store.ts';

interface PublishCommands {
  /** Saves and publishes. */
  readonly publish: Command;
  readonly unpublish: Command;
}

/** Publishing of the page in the editor. */
export function publishCommands(store: PageStore): PublishCommands {
  const save = (isStrict: boolean, more: Fields = {}) =>
    saveChanges(store, pageRequests(store, isStrict), more);
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
      can: () => isIdle() && store.base.published,
      run: async () => {
        if (!(await save(false, { published: false }))) return undefined;
        return {
          message: t('page.unpublished', { count: 1, title: store.base.title }),
          undo: () => save(false, { published: true }),
        };
      },
    },
  };
}
