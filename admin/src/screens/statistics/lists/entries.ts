import { nameText } from '../model/names.ts';
import type { DetailReport, Statistics } from '../model/queries.ts';
import type { ReportScope } from '../model/report-scope.ts';
import type { Dimension } from '../model/view.ts';
import type { RankedEntry } from './ranked-list.tsx';

type Values = Statistics['dims']['referrer'];

/** Rows of values such as referrers. @param earlier undefined where nothing is compared */
export function entriesOfNames(
  shown: ReportScope,
  dimension: Dimension,
  values: Values,
  earlier: Values | undefined,
): readonly RankedEntry[] {
  const before = earlier && new Map(earlier.map(({ name, visitors }) => [name, visitors]));
  return values.map(({ name, visitors }) => ({
    key: name,
    name: nameText(dimension, name),
    count: visitors,
    before: before && (before.get(name) ?? 0),
    href: shown.detailPath({ dimension, name }),
  }));
}

/** Something of a website. */
interface Located {
  readonly root_id: number;
  readonly name: string;
}

/** Rows of what has a path, which each website has for itself. */
function entriesOfPaths<Entry extends Located>(
  shown: ReportScope,
  entries: readonly Entry[],
  earlier: readonly Entry[] | undefined,
  countOf: (entry: Entry) => number,
): readonly RankedEntry[] {
  const keyOf = ({ root_id, name }: Located) => `${root_id} ${name}`;
  const before = earlier && new Map(earlier.map((entry) => [keyOf(entry), countOf(entry)]));
  return entries.map((entry) => ({
    key: keyOf(entry),
    name: entry.name,
    site: shown.view.isAll ? shown.titleOf(entry.root_id) : undefined,
    count: countOf(entry),
    before: before && (before.get(keyOf(entry)) ?? 0),
  }));
}

/** Rows of pages by their views, each with the address where it is looked at alone. */
export function entriesOfPages(
  shown: ReportScope,
  pages: Statistics['pages'],
  earlier: Statistics['pages'] | undefined,
): readonly RankedEntry[] {
  return withDetails(
    shown,
    pages,
    entriesOfPaths(shown, pages, earlier, ({ views }) => views),
  );
}

/** Rows of files by their downloads. */
export function entriesOfFiles(
  shown: ReportScope,
  files: Statistics['downloads'],
  earlier: Statistics['downloads'] | undefined,
): readonly RankedEntry[] {
  return entriesOfPaths(shown, files, earlier, ({ views }) => views);
}

/** Rows of pages by the visitors whom a referrer led to them. */
export function entriesOfLanding(
  shown: ReportScope,
  pages: DetailReport['pages'],
  earlier: DetailReport['pages'] | undefined,
): readonly RankedEntry[] {
  return withDetails(
    shown,
    pages,
    entriesOfPaths(shown, pages, earlier, ({ visitors }) => visitors),
  );
}

function withDetails(
  shown: ReportScope,
  pages: readonly Located[],
  entries: readonly RankedEntry[],
): readonly RankedEntry[] {
  return entries.map((entry, index) => {
    const page = pages[index];
    return page === undefined
      ? entry
      : { ...entry, href: shown.detailPath({ dimension: 'page', name: page.name }, page.root_id) };
  });
}
