import { activityQuery } from '../../../db/prepared.ts';
import { activityTable } from '../../../db/table.ts';
import type { ActivityDb } from '../../../db/tables.ts';
import type { Registry } from './registries.ts';

declare module '../../../db/tables.ts' {
  interface ActivityTables {
    country_lists: {
      rir: string;
      ranges: number;
      updated_at: number;
      checked_at: number;
      error: string;
      etag: string;
      last_modified: string;
      data: string;
    };
  }
}

const countryLists = activityTable('country_lists');

/** What is known of a list; times are Unix seconds, 0 for never. */
export interface ListState {
  readonly rir: string;
  readonly ranges: number;
  readonly updated_at: number;
  readonly checked_at: number;
  readonly error: string;
  readonly etag: string;
  readonly last_modified: string;
}

/** A list that takes the place of the registry's last one. */
export interface NewList extends Omit<ListState, 'error'> {
  readonly rir: Registry;
  /** Compressed, as base64. */
  readonly data: string;
}

/** The outcome of a request that brought no list. */
export interface ListCheck {
  readonly rir: Registry;
  readonly checked_at: number;
  readonly error: string;
}

export const listStates = countryLists.listBy(
  [],
  ['rir'],
  ['rir', 'ranges', 'updated_at', 'checked_at', 'error', 'etag', 'last_modified'],
);

export async function listData(db: ActivityDb): Promise<string[]> {
  return (await selectData(db)).map(({ data }) => data).filter((data) => data !== '');
}

export async function saveList(db: ActivityDb, list: NewList): Promise<void> {
  await upsertList.run(db, list);
}

/** The last list and what is known of it stay. */
export async function saveCheck(db: ActivityDb, check: ListCheck): Promise<void> {
  await upsertCheck.run(db, check);
}

const selectData = countryLists.listBy([], [], ['data']);

const upsertList = activityQuery((db, p: NewList) => {
  const { ranges, updated_at, checked_at, etag, last_modified, data } = p;
  const values = { ranges, updated_at, checked_at, error: '', etag, last_modified, data };
  return db
    .insertInto('country_lists')
    .values({ rir: p.rir, ...values })
    .onConflict((conflict) => conflict.column('rir').doUpdateSet(values));
});

const upsertCheck = activityQuery((db, p: ListCheck) =>
  db
    .insertInto('country_lists')
    .values({
      rir: p.rir,
      ranges: 0,
      updated_at: 0,
      checked_at: p.checked_at,
      error: p.error,
      etag: '',
      last_modified: '',
      data: '',
    })
    .onConflict((conflict) =>
      conflict.column('rir').doUpdateSet({ checked_at: p.checked_at, error: p.error }),
    ),
);
