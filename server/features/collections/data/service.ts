import Type from 'typebox';
import { maxLimit } from '../../../../runtime/content/items/query.ts';
import { chooseEntryTitle } from '../../../../runtime/page/entries.ts';
import type { DataResult, DataTask } from '../../../../runtime/tasks/messages/data.ts';
import { Reply } from '../../../api/reply.ts';
import { type ApiError, apiError, invalid } from '../../../base/errors.ts';
import type { SharedServices } from '../../../feature.ts';
import { cacheableBytes } from '../../../http/json/sliced.ts';
import type { StoredCollection } from '../model.ts';
import { tooManyForEveryone } from '../public-limit.ts';
import { collections } from '../store.ts';

/** The parameters of lists that are no fields. `query.ts` of the runtime reads them. */
export const ListQuery = Type.Object({
  _limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxLimit, description: 'Most entries of the answer.' }),
  ),
  _offset: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Entries that are left out at the beginning.' }),
  ),
  _sort: Type.Optional(
    Type.String({
      description:
        'Fields, `id`, `sort`, `_created` or `_updated`, separated by commas; `-` in front = descending.',
    }),
  ),
  _search: Type.Optional(Type.String({ description: 'Text in any text field.' })),
});

/** What `GET /data/{slug}` knows besides; `data-view.ts` of the runtime reads it. */
export const DataQuery = Type.Object({
  ...ListQuery.properties,
  _fields: Type.Optional(
    Type.String({
      description:
        'Names of the values of each entry that the answer has, separated by commas; default: all of them.',
    }),
  ),
  _image: Type.Optional(
    Type.Literal('object', {
      description: 'Images are objects with `url`, `srcset`, `width`, `height`, `alt` instead of IDs.',
    }),
  ),
});

/**
 * The entries of a query, selected in a render process: a query that no index helps may take long.
 *
 * @param rawQuery names of fields and operators with their values; the caller's own `token` is left out
 * @throws ApiError `data.unknownField`, `data.unknownOperator`, `common.invalid`
 */
export async function queryEntries(
  { answers, pool }: Pick<SharedServices, 'answers' | 'pool'>,
  { id }: Pick<StoredCollection, 'id'>,
  rawQuery: string,
  { drafts, form, maxEntries }: Pick<DataTask, 'drafts' | 'form' | 'maxEntries'>,
): Promise<Reply> {
  const key = `data ${id} ${form} ${drafts} ${rawQuery}`;
  return answers.reply(key, async () => {
    const pairs = pairsOf(rawQuery);
    const result = await pool.request({ kind: 'data', collectionId: id, pairs, drafts, form, maxEntries });
    if (result.kind === 'too-many' && maxEntries !== undefined) throw tooManyForEveryone(maxEntries);
    return createReply(result);
  });
}

/** An entry that was found by a text. */
export interface FoundEntry {
  readonly id: number;
  readonly title: string;
  /** Slug of the collection. */
  readonly collection: string;
}

/**
 * Entries of all collections with a value that contains a text, drafts too. Looks through one collection after
 * the other, in a render process, until there are enough.
 *
 * @param mayRead whether the caller may read the entries of a collection
 */
export async function searchEntries(
  { snapshots, pool }: Pick<SharedServices, 'snapshots' | 'pool'>,
  text: string,
  limit: number,
  mayRead: (collection: StoredCollection) => boolean,
): Promise<readonly FoundEntry[]> {
  const found: FoundEntry[] = [];
  for (const collection of await snapshots.read((db) => collections.list(db))) {
    if (found.length >= limit) break;
    if (!mayRead(collection)) continue;
    const pairs: [string, string][] = [
      ['_search', text],
      ['_limit', String(limit - found.length)],
    ];
    const options = { drafts: true, form: 'values' } as const;
    const task: DataTask = { kind: 'data', collectionId: collection.id, pairs, ...options };
    const result = await pool.request(task);
    // A collection that is deleted meanwhile has nothing.
    if (result.kind !== 'data') continue;
    for (const entry of entriesIn(result.json))
      found.push({ id: Number(entry['id']), title: titleIn(entry, collection), collection: collection.slug });
  }
  return found;
}

/** IDs of entries, drafts too, with a value; none if the field cannot be asked for. */
export async function findEntriesWith(
  pool: SharedServices['pool'],
  { id }: Pick<StoredCollection, 'id'>,
  field: string,
  value: string,
  limit: number,
): Promise<readonly number[]> {
  const pairs: [string, string][] = [
    [field, value],
    ['_limit', String(limit)],
  ];
  const result = await pool.request({ kind: 'data', collectionId: id, pairs, drafts: true, form: 'values' });
  return result.kind === 'data' ? entriesIn(result.json).map((entry) => Number(entry['id'])) : [];
}

/** The answer to a query of a list or of a singleton. */
function entriesIn(json: Uint8Array): readonly Readonly<Record<string, unknown>>[] {
  const value: unknown = JSON.parse(Buffer.from(json).toString());
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((entry) => (typeof entry === 'object' && entry !== null ? [{ ...entry }] : []));
}

/** The first text among the values, in the order of the fields. */
function titleIn(entry: Readonly<Record<string, unknown>>, { fields }: StoredCollection): string {
  return chooseEntryTitle(Object.fromEntries(fields.map(({ name }) => [name, entry[name]])));
}

/** Whether the query of a request has names for a query of entries. */
export function hasQuery(rawQuery: string): boolean {
  return rawQuery !== '' && pairsOf(rawQuery).length > 0;
}

/** The parameters of a REST source in the query of a request; of equal names the last counts. */
export function parseParams(rawQuery: string): Readonly<Record<string, string>> {
  return Object.fromEntries(pairsOf(rawQuery));
}

function pairsOf(rawQuery: string): [string, string][] {
  return [...new URLSearchParams(rawQuery)].filter(([name]) => name !== 'token');
}

async function createReply(result: DataResult): Promise<Reply> {
  switch (result.kind) {
    case 'data': {
      const reply = Reply.madeJson(await cacheableBytes(result.json));
      return reply.withHeaders([['X-Total-Count', String(result.count)]]);
    }
    case 'gone':
      throw apiError('common.notFound', {});
    case 'too-many':
      throw invalid('_limit', 'is needed: the collection has too many entries for one answer');
    case 'fault':
      throw errorOf(result);
  }
}

function errorOf({ fault, field, detail }: DataResult & { kind: 'fault' }): ApiError {
  switch (fault) {
    case 'field':
      return apiError('data.unknownField', detail === undefined ? { field } : { field, suggestion: detail });
    case 'operator':
      return apiError('data.unknownOperator', { field, operator: detail ?? '' });
    case 'value':
      return invalid(field, detail ?? 'is not valid');
  }
}
