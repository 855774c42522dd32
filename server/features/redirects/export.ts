import type { ContentDb } from '../../db/tables.ts';
import type { CsvCell } from '../../http/csv/write.ts';
import type { NotFoundEntry } from '../notfound/model.ts';
import type { NotFoundLog } from '../notfound/service.ts';
import type { RedirectHits } from './hits.ts';
import type { RedirectListEntry } from './model.ts';
import { listRedirects } from './service.ts';

const header = ['Von', 'Nach', 'Status', 'Typ', 'Treffer', 'Zuletzt', 'Herkunft'];

/**
 * GET /redirects/export: the open addresses of the 404 log, most frequent first, then all redirects (Core,
 * "Redirects and 404 log"). An address that has a redirect meanwhile is listed only as a redirect.
 *
 * @returns the rows in slices
 */
export async function* exportedRows(
  db: ContentDb,
  hits: RedirectHits,
  notFound: NotFoundLog,
  rootId: number,
): AsyncGenerator<CsvCell[][]> {
  const slices: RedirectListEntry[][] = [];
  const sources = new Set<string>();
  for await (const slice of listRedirects(db, hits, rootId)) {
    for (const { source } of slice) sources.add(source);
    slices.push(slice);
  }
  const entries = await notFound.list(rootId);
  yield [header, ...entries.filter((entry) => !entry.ignored && !sources.has(entry.path)).map(rowOfEntry)];
  for (const slice of slices) yield slice.map(rowOfRedirect);
}

function rowOfEntry(entry: NotFoundEntry): CsvCell[] {
  return [entry.path, '', '', '404', entry.hits, localMinute(entry.last_at), entry.referer];
}

function rowOfRedirect(redirect: RedirectListEntry): CsvCell[] {
  return [
    redirect.source,
    redirect.target,
    redirect.status,
    redirect.auto ? 'auto' : 'manuell',
    redirect.hits,
    localMinute(redirect.last_hit_at),
    '',
  ];
}

/** `YYYY-MM-DD HH:MM` in the server's time zone; empty for 0, which stands for never. */
function localMinute(unixSeconds: number): string {
  if (unixSeconds === 0) return '';
  const date = new Date(unixSeconds * 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
