import { queryClient } from '../../../api/query-client.ts';
import { t } from '../../../base/i18n/index.ts';
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
import { toFieldRecord } from '../../../editing/fields.ts';
import type { Deletion } from '../../../editing/frame/deletion.ts';
import type { SaveRequests } from '../../../editing/save.ts';
import { type EntryStore, type EntryValue, entryValue, toEntryBody } from './entry-store.ts';

/** A save names its effect. */
export function formatEntryLabel(id: number | 'new', isLive: boolean) {
  if (id === 'new') return 'entries.create';
  return isLive ? 'entries.updateLive' : 'page.saveDraft';
}

/** The save of an entry that is not there yet makes it. */
export function createCommand(collection: Collection, store: EntryStore, save: Command): Command {
  return {
    ...save,
    can: () => store.state.kind !== 'saving' && store.state.kind !== 'conflict',
    run: () => create(collection, store),
  };
}

async function create(collection: Collection, store: EntryStore): Promise<void> {
  const { data, published = store.base.published } = toEntryBody(toFieldRecord(store.changes));
  store.setState({ kind: 'saving' });
  try {
    const entry = await createEntry(collection.id, { data, published });
    store.discard();
    goTo(paths.collection(collection.slug, collection.singleton ? '' : entry.id), { replace: true });
  } catch (error) {
    store.setState({ kind: 'failed', error });
  }
}

export function entryRequests({ id: collection }: Collection, id: number): SaveRequests<EntryValue> {
  return {
    send: async ({ base_updated_at, ...fields }) => {
      const body = toEntryBody(fields);
      const isData = Object.keys(body.data).length > 0;
      const { data: _data, ...others } = body;
      return entryValue(await updateEntry(collection, id, { ...(isData ? body : others), base_updated_at }));
    },
    load: async () =>
      entryValue(await queryClient.fetchQuery({ ...entryQuery(collection, id), staleTime: 0 })),
  };
}

export function entryDeletion(collection: Collection, id: number, back: string | undefined): Deletion {
  return {
    id: 'entry.delete',
    label: 'entries.delete',
    run: () => {
      if (back !== undefined) goTo(back);
      return deleteLater(`item ${id}`, t('entries.deleted', { count: 1 }), () =>
        deleteEntry(collection.id, id).finally(() => entriesChanged(collection.id)),
      );
    },
  };
}
