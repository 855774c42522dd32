import { type CsvCell, formatCsv } from '../csv.ts';
import type { ContentDb } from '../db/tables.ts';
import type { NotFoundLog } from '../notfound/service.ts';
import type { RedirectHits } from './hits.ts';
import { listRedirects } from './service.ts';

const header = ['Von', 'Nach', 'Status', 'Typ', 'Treffer', 'Zuletzt', 'Herkunft'];

/**
 * GET /redirects/export: the open addresses of the 404 log, most frequent first, then all redirects (Core,
 * "Redirects and 404 log"). An address that has a redirect meanwhile is listed only as a redirect.
 */
export async function exportRedirects(
  db: ContentDb,
  hits: RedirectHits,
  notFound: NotFoundLog,
  rootId: number,
): Promise<string> {
  const redirects = await listRedirects(db, hits, rootId);
  const entries = await notFound.list(rootId);
  const sources = new Set(redirects.map((redirect) => redirect.source));
  const open = entries.filter((entry) => !entry.ignored && !sources.has(entry.path));
  return formatCsv([
    header,
    ...open.map((entry): CsvCell[] => [
      entry.path,
      '',
      '',
      '404',
      entry.hits,
      localMinute(entry.last_at),
      entry.referer,
    ]),
    ...redirects.map((redirect): CsvCell[] => [
      redirect.source,
      redirect.target,
      redirect.status,
      redirect.auto ? 'auto' : 'manuell',
      redirect.hits,
      localMinute(redirect.last_hit_at),
      '',
    ]),
  ]);
}

/** `YYYY-MM-DD HH:MM` in the server's time zone; empty for 0, which stands for never. */
function localMinute(unixSeconds: number): string {
  if (unixSeconds === 0) return '';
  const date = new Date(unixSeconds * 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
