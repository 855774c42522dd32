import Type from 'typebox';
import { requireObject } from '../../../content/kinds/objects.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { StoredCollection } from '../model.ts';
import { EntryLink, EntryMove } from '../rows/model.ts';
import { requireCollection } from '../service.ts';
import { type ItemKind, moveItem } from './service.ts';
import { linkTranslation, unlinkTranslation } from './translations.ts';

/** The kind with what a batch does with its entries besides the operations of every kind. */
export function withItemOperations(kind: ItemKind): ItemKind {
  const { batch = { ops: [], idFields: [] } } = kind;
  const more: typeof batch.more = {
    move: {
      body: EntryMove,
      idFields: [],
      errors: [],
      run: async (change, id, body) =>
        // Type boundary: the body has passed `EntryMove`.
        moveItem(change, await collectionOf(kind, change.tx, id), id, (body as EntryMove).index),
    },
    link: {
      body: EntryLink,
      idFields: ['item_id'],
      errors: ['translation.noLang', 'translation.langTaken', 'translation.alreadyLinked'],
      run: async (change, id, body) =>
        // Type boundary: the body has passed `EntryLink`.
        linkTranslation(change, kind, await collectionOf(kind, change.tx, id), id, body as EntryLink),
    },
    unlink: {
      body: Type.Object({}),
      idFields: [],
      errors: [],
      run: async (change, id) => unlinkTranslation(change, kind, await collectionOf(kind, change.tx, id), id),
    },
  };
  return { ...kind, batch: { ...batch, more } };
}

/** @throws ApiError `common.notFound` */
async function collectionOf(kind: ItemKind, db: ContentDb, id: number): Promise<StoredCollection> {
  const { collection_id: collectionId } = await requireObject(kind, db, id);
  return requireCollection(db, collectionId);
}
