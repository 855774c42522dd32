import { isDeepStrictEqual } from 'node:util';
import type { ChangeNotice } from '../../changes/record.ts';
import type { SchemaSnapshot } from './model.ts';

/** A change of the schema as `schema.changed` tells it; block types have names and no IDs. */
export type SchemaChange = Omit<ChangeNotice, 'id'> & { readonly id?: number };

/** A list of the snapshot: the kind of its objects, what identifies one, and the names that are told of it. */
interface Part<Entry> {
  readonly kind: string;
  list(snapshot: SchemaSnapshot): readonly Entry[];
  keyOf(entry: Entry): number | string;
  namesOf(entry: Entry): Omit<SchemaChange, 'kind' | 'action'>;
}

function part<Entry>(of: Part<Entry>) {
  return (before: SchemaSnapshot, after: SchemaSnapshot): SchemaChange[] => differencesOf(of, before, after);
}

const parts = [
  part({
    kind: 'collection',
    list: ({ collections }) => collections,
    keyOf: ({ id }) => id,
    namesOf: ({ id, slug, name }) => ({ id, slug, name }),
  }),
  part({
    kind: 'block_type',
    list: ({ block_types }) => block_types,
    keyOf: ({ name }) => name,
    namesOf: ({ name }) => ({ name }),
  }),
  part({
    kind: 'page_layout',
    list: ({ page_layouts }) => page_layouts,
    keyOf: ({ id }) => id,
    namesOf: ({ id, name }) => ({ id, name }),
  }),
  part({
    kind: 'site',
    list: ({ sites }) => sites,
    keyOf: ({ id }) => id,
    namesOf: ({ id, title }) => ({ id, name: title }),
  }),
];

/** What has to be done to make one snapshot of the other. */
export function changesBetween(before: SchemaSnapshot, after: SchemaSnapshot): SchemaChange[] {
  return parts.flatMap((differences) => differences(before, after));
}

function differencesOf<Entry>(
  { kind, list, keyOf, namesOf }: Part<Entry>,
  before: SchemaSnapshot,
  after: SchemaSnapshot,
): SchemaChange[] {
  const old = new Map(list(before).map((entry) => [keyOf(entry), entry]));
  const changes: SchemaChange[] = [];
  for (const entry of list(after)) {
    const was = old.get(keyOf(entry));
    old.delete(keyOf(entry));
    if (was === undefined) changes.push({ kind, action: 'created', ...namesOf(entry) });
    else if (!isDeepStrictEqual(was, entry)) changes.push({ kind, action: 'updated', ...namesOf(entry) });
  }
  for (const entry of old.values()) changes.push({ kind, action: 'deleted', ...namesOf(entry) });
  return changes;
}
