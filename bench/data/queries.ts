import { join } from 'node:path';
import { parseQuery, type QueryPair } from '../../runtime/content/items/query.ts';
import { selectItems } from '../../runtime/content/items/select.ts';
import type { ContentReader } from '../../runtime/content/reader.ts';
import { openSqliteContent } from '../../runtime/content/sqlite.ts';
import { type Contestant, type Measurement, measureGroups } from '../measure.ts';

/** The query of a call in a template, with another value each time. */
type Call = (n: number) => readonly QueryPair[];

const sorted: readonly QueryPair[] = [
  ['_sort', '-date'],
  ['_limit', 25],
];

const calls: Readonly<Record<string, Call>> = {
  'item()': (n) => [
    ['slug', `entry-${(n * 7919) % 1000}`],
    ['_limit', 1],
  ],
  'data()': (n) => [['topic', `t${n % 4}`], ...sorted, ['_offset', n % 200]],
  'data() by several values': (n) => [
    ['topic__in', [`t${n % 4}`, `t${(n + 1) % 4}`]],
    ...sorted,
    ['_offset', n % 200],
  ],
  'data() by a reference': (n) => [['tags', 1 + (n % 4)], ...sorted, ['_offset', n % 200]],
};

/**
 * Processor time of the queries alone, in this process and without the memo of renders: of the small collection,
 * which is the reference, and of the large one.
 */
export function measureQueries(dataDir: string, rounds: number): Measurement[] {
  const reader = openSqliteContent(join(dataDir, 'content.db'));
  try {
    const groups = Object.entries(calls).map(([name, call]) =>
      ['small', 'large'].map((slug) => contestant(reader, `${name}, ${slug}`, slug, call)),
    );
    return measureGroups(groups, { rounds, roundMs: 100, warmRounds: 2 }).flat();
  } finally {
    reader.close();
  }
}

function contestant(reader: ContentReader, name: string, slug: string, call: Call): Contestant {
  const collection = reader.collection(slug);
  if (collection === undefined) throw new Error(`there is no collection "${slug}"`);
  let n = 0;
  return {
    name,
    run() {
      const items = selectItems(reader, collection, parseQuery(collection, call(n++)), false);
      return `${items[0]?.id} ${items.length}`;
    },
  };
}
