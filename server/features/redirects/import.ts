import { normalizePath } from '../../../runtime/page/address.ts';
import { ApiError, apiError, invalid } from '../../base/errors.ts';
import type { StreamInThread } from '../../base/thread-stream.ts';
import { forEachInSlices, TimeSlices } from '../../base/timers.ts';
import type { Change } from '../../changes/changes.ts';
import { decideAt } from '../../content/kinds/decide.ts';
import { recordRemoved, recordSaved } from '../../content/kinds/objects.ts';
import { saveRevision } from '../../content/kinds/revisions.ts';
import { putAway } from '../../content/kinds/trash/put-away.ts';
import { isPagePath, requireSite } from '../../content/sites/service.ts';
import type { ContentDb } from '../../db/tables.ts';
import { readCsv } from '../../http/csv/read.ts';
import { unescapeCell } from '../../http/csv/write.ts';
import type { ImportChange, ImportError, ImportReport, RedirectStatus, StoredRedirect } from './model.ts';
import { parseSource, parseTarget, type RedirectTarget, sourcesOnLoops } from './rules.ts';
import { redirectIdentity } from './service.ts';
import * as store from './store.ts';

/** Largest number of rows of one file, without the header. */
const maxRows = 20_000;
const maxListedErrors = 50;
/** After this number of rows or writes the thread serves other requests. */

/** Accepted names of the columns, lower case (Core, "Redirects and 404 log"). */
const columns = {
  source: ['von', 'source', 'from', 'alt', 'pfad'],
  target: ['nach', 'target', 'to', 'ziel'],
  status: ['status'],
} as const;

/** A row of the file with the cells that the import uses, as text. */
interface Row {
  /** Number of the row: the header is 1, empty lines count. */
  readonly row: number;
  readonly source: string;
  readonly target: string;
  readonly status: string;
}

export interface RedirectFile {
  readonly delimiter: string;
  readonly rows: readonly Row[];
}

/**
 * Reads the CSV of an import. The content of the rows is checked later.
 *
 * @throws ApiError `csv.columnMissing`, and the errors of {@link readCsv}
 */
export async function readRedirectFile(bytes: Uint8Array, stream: StreamInThread): Promise<RedirectFile> {
  const { delimiter, rows } = await readCsv(bytes, { maxRows }, stream);
  const header = (rows[0] ?? []).map((cell) => cell.trim().toLowerCase());
  const indexOf = (names: readonly string[]) => header.findIndex((cell) => names.includes(cell));
  const source = indexOf(columns.source);
  const target = indexOf(columns.target);
  const status = indexOf(columns.status);
  if (source < 0) throw apiError('csv.columnMissing', { column: 'Von' });
  if (target < 0) throw apiError('csv.columnMissing', { column: 'Nach' });
  const cell = (cells: readonly string[], index: number) => unescapeCell((cells[index] ?? '').trim());
  return {
    delimiter,
    rows: rows.flatMap((cells, index) =>
      index === 0 || cells.every((text) => text.trim() === '')
        ? []
        : [
            {
              row: index + 1,
              source: cell(cells, source),
              target: cell(cells, target),
              status: cell(cells, status),
            },
          ],
    ),
  };
}

export interface ImportOptions {
  readonly rootId: number;
  /** Deletes all redirects for which the file has no target. */
  readonly deleteOthers: boolean;
}

/**
 * Reports what an import would do: the answer to `dry_run=1`. It writes nothing; wrong rows are reported.
 *
 * @param db must be in a transaction, as for every long read
 */
export async function previewImport(
  db: ContentDb,
  file: RedirectFile,
  options: ImportOptions,
): Promise<ImportReport> {
  return reportOf(file, await planImport(db, file, options), false);
}

/**
 * Imports a file completely or not at all.
 *
 * @throws ApiError 422 `csv.errors` when any row has an error
 */
export async function importRedirects(
  change: Change,
  file: RedirectFile,
  options: ImportOptions,
): Promise<ImportReport> {
  const place = { kind: 'redirect', site: options.rootId };
  await decideAt(change, place);
  const plan = await planImport(change.tx, file, options);
  if (plan.deleted.length > 0) await decideAt(change, place, { isRemoval: true });
  const report = reportOf(file, plan, true);
  if (report.error_count > 0) {
    const { errors, error_count } = report;
    throw apiError('csv.errors', { count: error_count }, { fields: { errors, error_count } });
  }
  await write(change, plan);
  return report;
}

interface Plan {
  readonly created: Omit<StoredRedirect, 'id'>[];
  readonly updated: { readonly before: StoredRedirect; readonly after: StoredRedirect }[];
  readonly deleted: StoredRedirect[];
  readonly errors: ImportError[];
  unchanged: number;
  open: number;
}

/** The website as it is before the import. */
interface SiteBefore {
  readonly rootId: number;
  readonly domains: readonly string[];
  readonly redirects: ReadonlyMap<string, StoredRedirect>;
}

async function planImport(
  db: ContentDb,
  file: RedirectFile,
  { rootId, deleteOthers }: ImportOptions,
): Promise<Plan> {
  const place = await readPlace(db, rootId);
  const plan: Plan = { created: [], updated: [], deleted: [], errors: [], unchanged: 0, open: 0 };
  const rowOf = new Map<string, number>();
  const targetPaths = new Map([...place.redirects].map(([source, { target_path }]) => [source, target_path]));
  const named = new Set<string>();
  const slices = new TimeSlices();
  for (const row of file.rows) {
    await slices.next();
    const collected = await collectErrors(plan, row.row, () => readRow(db, row, place, rowOf));
    if (collected === undefined) continue;
    if (collected.target === undefined) {
      plan.open++;
    } else {
      named.add(collected.source);
      targetPaths.set(collected.source, collected.target.target_path);
      planRow(plan, place, { ...collected, target: collected.target });
    }
  }
  if (deleteOthers) {
    const others = [...place.redirects.values()].filter(({ source }) => !named.has(source));
    plan.deleted.push(...others);
    for (const { source } of others) targetPaths.delete(source);
  }
  for (const source of sourcesOnLoops(targetPaths)) {
    const row = named.has(source) ? rowOf.get(source) : undefined;
    if (row === undefined) continue;
    await collectErrors(plan, row, async () => {
      throw apiError('redirect.loop', { source });
    });
  }
  plan.errors.sort((left, right) => left.row - right.row);
  return plan;
}

async function readPlace(db: ContentDb, rootId: number): Promise<SiteBefore> {
  const site = await requireSite(db, rootId);
  const redirects = new Map<string, StoredRedirect>();
  for await (const slice of store.listRedirects(db, rootId)) {
    for (const { redirect } of slice) redirects.set(redirect.source, redirect);
  }
  return { rootId, domains: site.domains, redirects };
}

/** A valid row. A row without a target is an address that is still open. */
interface ReadRow {
  readonly source: string;
  readonly target: RedirectTarget | undefined;
  /** Undefined if the cell is empty. */
  readonly status: RedirectStatus | undefined;
}

async function readRow(
  db: ContentDb,
  row: Row,
  place: SiteBefore,
  rowOf: Map<string, number>,
): Promise<ReadRow> {
  const isOpen = row.target === '';
  const source = isOpen && row.source !== '' ? normalizePath(row.source) : parseSource(row.source);
  const first = rowOf.get(source);
  if (first !== undefined) throw apiError('redirect.duplicate', { source, row: first });
  rowOf.set(source, row.row);
  if (isOpen) return { source, target: undefined, status: undefined };
  if (await isPagePath(db, place.rootId, source)) throw invalid('source', `${source} is the path of a page`);
  return { source, target: parseTarget(row.target, place.domains), status: parseStatus(row.status) };
}

function parseStatus(text: string): RedirectStatus | undefined {
  switch (text) {
    case '':
      return undefined;
    case '301':
      return 301;
    case '302':
      return 302;
    default:
      throw invalid('status', 'must be 301 or 302');
  }
}

function planRow(
  plan: Plan,
  place: SiteBefore,
  { source, target, status }: ReadRow & { target: RedirectTarget },
): void {
  const before = place.redirects.get(source);
  if (before === undefined) {
    const { rootId: root_id } = place;
    plan.created.push({ root_id, source, ...target, status: status ?? 301, auto: false, created_at: 0 });
  } else if (before.target === target.target && before.status === (status ?? before.status)) {
    plan.unchanged++;
  } else {
    const after = { ...before, ...target, status: status ?? before.status, auto: false };
    plan.updated.push({ before, after });
  }
}

async function collectErrors<T>(plan: Plan, row: number, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    plan.errors.push({ row, message: error.message, code: error.code, params: error.params });
    return undefined;
  }
}

/** Uses of a redirect that is not kept are dropped after the commit. */
const keptRedirect = { ...redirectIdentity, trash: {} };

async function write(change: Change, { created, updated, deleted }: Plan): Promise<void> {
  const { tx, now } = change;
  const writes: (() => Promise<void>)[] = [
    ...deleted.map((redirect) => async () => {
      const isKept = await putAway(change, keptRedirect, redirect, () =>
        store.redirects.remove(tx, redirect.id),
      );
      recordRemoved(change, redirectIdentity, redirect, isKept);
    }),
    ...updated.map(({ before, after }) => async () => {
      await saveRevision(change, { kind: 'redirect', id: before.id }, before);
      await store.redirects.update(tx, after);
      await recordSaved(change, redirectIdentity, 'updated', after, before);
    }),
    ...created.map((redirect) => async () => {
      const id = await store.redirects.insert(tx, { ...redirect, created_at: now });
      await recordSaved(change, redirectIdentity, 'created', { ...redirect, id });
    }),
  ];
  await forEachInSlices(writes, (write) => write());
}

function reportOf({ delimiter, rows }: RedirectFile, plan: Plan, imported: boolean): ImportReport {
  const created: ImportChange[] = plan.created.map(({ source, target, status }) => ({
    action: 'create',
    source,
    target,
    status,
  }));
  const updated: ImportChange[] = plan.updated.map(({ before, after }) => ({
    action: 'update',
    source: after.source,
    target: after.target,
    status: after.status,
    old_target: before.target,
    old_status: before.status,
  }));
  return {
    delimiter,
    rows: rows.length,
    created: created.length,
    updated: updated.length,
    deleted: plan.deleted.length,
    unchanged: plan.unchanged,
    open: plan.open,
    changes: [...created, ...updated],
    errors: plan.errors.slice(0, maxListedErrors),
    error_count: plan.errors.length,
    imported,
  };
}
