import type { ActivityDb } from '../../../db/tables.ts';
import { type CsvCell, formatRows } from '../../../http/csv/write.ts';
import { type Kind, kinds } from '../kinds.ts';
import { textOfDay } from './days.ts';
import type { Scope } from './report.ts';
import * as sumStore from './sum-store.ts';

/** How the export names what is counted, in its order, and whether views count (they do not for what visitors have in common). */
const sections: readonly { readonly kind: Kind; readonly art: string; readonly hasViews: boolean }[] = [
  { kind: kinds.total, art: 'Gesamt', hasViews: true },
  { kind: kinds.page, art: 'Seite', hasViews: true },
  { kind: kinds.referrer, art: 'Herkunft', hasViews: false },
  { kind: kinds.browser, art: 'Browser', hasViews: false },
  { kind: kinds.os, art: 'Betriebssystem', hasViews: false },
  { kind: kinds.device, art: 'Gerät', hasViews: false },
  { kind: kinds.country, art: 'Land', hasViews: false },
  { kind: kinds.download, art: 'Download', hasViews: true },
];

const header = ['Datum', 'Website', 'Art', 'Name', 'Aufrufe', 'Besucher'];

/** The export of a range as CSV, one text for each day that has data (Data, Automation and Operations, "Statistics"). */
export async function* exportedDays(
  db: ActivityDb,
  scope: Scope,
  titles: ReadonlyMap<number, string>,
): AsyncGenerator<string> {
  yield `\ufeff${formatRows([header])}`;
  const sites = scope.sites.toSorted(
    (a, b) => (titles.get(a) ?? '').localeCompare(titles.get(b) ?? '', 'de') || a - b,
  );
  const shown = sections.filter(({ kind }) => scope.countries || kind !== kinds.country);
  for (const day of await daysOf(db, scope)) {
    const rows: CsvCell[][] = [];
    for (const site of sites) {
      for (const { kind, art, hasViews } of shown) {
        const found = await sumStore.rowsOfDay(db, site, kind, day);
        const sorted = hasViews ? found : found.toSorted((a, b) => b.visitors - a.visitors);
        for (const { name, views, visitors } of sorted)
          rows.push([textOfDay(day), titles.get(site) ?? '', art, name, hasViews ? views : '', visitors]);
      }
    }
    yield formatRows(rows);
  }
}

async function daysOf(db: ActivityDb, { sites, from, to }: Scope): Promise<number[]> {
  const days = new Set<number>();
  for (const rootId of sites) {
    for (const kind of [kinds.total, kinds.download])
      for (const day of await sumStore.daysWithData(db, { rootId, kind, from, to })) days.add(day);
  }
  return [...days].sort((a, b) => a - b);
}
