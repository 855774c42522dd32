import { queryClient } from '../../../api/query-client.ts';
import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import type { Command } from '../../../commands/command.ts';
import type { Collection } from '../../../content/collections.ts';
import {
  createEntry,
  deleteEntry,
  type Entry,
  entriesChanged,
  entryQuery,
  updateEntry,
} from '../../../content/entries.ts';
import { toFieldRecord } from '../../../editing/merge/fields.ts';
import type { Preparation } from '../../../editing/preparation.ts';
import type { SaveRequests } from '../../../editing/save.ts';
import { deleteCommand } from '../../../kit/delete/delete-command.tsx';
import { type EntryStore, type EntryValue, entryValue, toEntryBody } from './entry-store.ts';
import { showWarnings } from './entry-warnings.ts';

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
    showWarnings(entry);
    store.discard();
    goTo(paths.collection(collection.slug, collection.singleton ? '' : entry.id), { replace: true });
  } catch (error) {
    store.setState({ kind: 'failed', error });
  }
}

export function entryRequests({ id: collection }: Collection, id: number): SaveRequests<EntryValue> {
  return {
    kind: 'item',
    send: async ({ base_updated_at, ...fields }) => {
      const body = toEntryBody(fields);
      const isData = Object.keys(body.data).length > 0;
      const { data: _data, ...others } = body;
      const saved = await updateEntry(collection, id, { ...(isData ? body : others), base_updated_at });
      showWarnings(saved);
      return entryValue(saved);
    },
    load: async () =>
      entryValue(await queryClient.fetchQuery({ ...entryQuery(collection, id), staleTime: 0 })),
  };
}

/** How changes of an entry wait. */
export function prepareEntry(collection: number, id: number): Preparation<EntryValue> {
  return {
    kind: 'item',
    path: `/collections/${collection}/items/${id}`,
    toBody: (_base, fields) => toEntryBody(fields),
    // Type boundary: the copy of an entry is an entry.
    toValue: (object) => entryValue(object as Entry),
  };
}

/** Deletions of entries that wait hide their rows by this name. */
export const entryName = { name: 'item' } as const;

export function entryDeletion(collection: Collection, id: number, list: string | undefined): Command {
  const remove = () => deleteEntry(collection.id, id).finally(() => entriesChanged(collection.id));
  const message = t('entries.deleted', { count: 1 });
  return deleteCommand({ ...entryName, remove }, id, { label: 'entries.delete', name: '', message, list });
}
