import { queryClient } from '../../../api/query-client.ts';
import { text } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import type { Command } from '../../../commands/command.ts';
import { deleteLater } from '../../../commands/delayed.ts';
import type { Collection } from '../../../content/collections.ts';
import {
  createEntry,
  deleteEntry,
  entriesChanged,
  entryQuery,
  updateEntry,
} from '../../../content/entries.ts';
import { discardCommand } from '../../../editing/discard.ts';
import { fieldsOf } from '../../../editing/fields.ts';
import { saveChanges } from '../../../editing/save.ts';
import { bodyOf, type EntryStore, entryValue } from './entry-store.ts';

export interface EntryCommands {
  readonly save: Command;
  readonly discard: Command;
  readonly more: readonly Command[];
}

/** Saving and deleting of the entry in the editor. */
export function entryCommands(
  collection: Collection,
  id: number | 'new',
  store: EntryStore,
  back: string | undefined,
): EntryCommands {
  return {
    save: {
      id: 'entry.save',
      label: labelOf(id, store.base.published),
      icon: 'check',
      keys: 'mod+S',
      can: () =>
        (store.isChanged || id === 'new') && store.state.kind !== 'saving' && store.state.kind !== 'conflict',
      run: () => (id === 'new' ? create(collection, store) : save(collection, id, store)),
    },
    discard: discardCommand(store),
    more: id === 'new' ? [] : [deleteCommand(collection, id, back)],
  };
}

/** A save names its effect. */
function labelOf(id: number | 'new', isLive: boolean) {
  if (id === 'new') return 'entries.create';
  return isLive ? 'entries.updateLive' : 'page.saveDraft';
}

async function create(collection: Collection, store: EntryStore): Promise<void> {
  const { data, published = store.base.published } = bodyOf(fieldsOf(store.changes));
  store.setState({ kind: 'saving' });
  try {
    const entry = await createEntry(collection.id, { data, published });
    store.discard();
    goTo(paths.collection(collection.slug, collection.singleton ? '' : entry.id), { replace: true });
  } catch (error) {
    store.setState({ kind: 'failed', error });
  }
}

async function save({ id: collection }: Collection, id: number, store: EntryStore): Promise<void> {
  await saveChanges(store, {
    send: async ({ base_updated_at, ...fields }) => {
      const body = bodyOf(fields);
      const isData = Object.keys(body.data).length > 0;
      const { data: _data, ...others } = body;
      return entryValue(await updateEntry(collection, id, { ...(isData ? body : others), base_updated_at }));
    },
    load: async () =>
      entryValue(await queryClient.fetchQuery({ ...entryQuery(collection, id), staleTime: 0 })),
  });
}

function deleteCommand(collection: Collection, id: number, back: string | undefined): Command {
  return {
    id: 'entry.delete',
    label: 'entries.delete',
    icon: 'trash',
    tone: 'danger',
    run: () => {
      if (back !== undefined) goTo(back);
      return deleteLater(`item ${id}`, text('entries.deleted', { count: 1 }), () =>
        deleteEntry(collection.id, id).finally(() => entriesChanged(collection.id)),
      );
    },
  };
}
