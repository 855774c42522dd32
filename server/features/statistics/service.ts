import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  isHost,
  parseDomains,
  resolveSite,
  type SiteTable,
  siteTable,
} from '../../../runtime/content/site-host.ts';
import { findReadLimits, withoutReadLimits } from '../../base/content-overlay.ts';
import { apiError, invalid } from '../../base/errors.ts';
import type { ChangeRecord } from '../../changes/record.ts';
import { listDomains, listSites, requireSite } from '../../content/sites/service.ts';
import type { Download, SharedServices } from '../../feature.ts';
import { BodyParts } from '../../http/body/parts.ts';
import type { ViewEvent } from '../../http/view-event-buffer.ts';
import type { Auth } from '../auth/service.ts';
import { computeDay, parseDay } from './counting/days.ts';
import type { LiveFigures } from './counting/recent.ts';
import type { Scope } from './counting/report.ts';
import { forgetOldSalt } from './counting/salt.ts';
import type { CounterThread } from './counting/thread-client.ts';
import { visitText } from './counting/visit.ts';
import type {
  PathQuery,
  PathReport,
  SiteQuery,
  StatisticsQuery,
  StatisticsReport,
  ValueQuery,
  ValueReport,
} from './model.ts';

export interface StatisticsDeps
  extends Pick<SharedServices, 'reader' | 'version' | 'clock' | 'log' | 'views'> {
  readonly auth: Pick<Auth, 'sessionOf'>;
  readonly thread: CounterThread;
  readonly saltFile: string;
  /** Whether countries are recorded and shown. */
  readonly hasCountries: () => boolean;
}

/** A view or download before it is known whose it is, and of which website. */
type Unchecked = ViewEvent | Download;

/** Visits in one message: copying more of them to the thread would hold up others. */
const maxBatch = 500;
/** Most visits that the thread has not acknowledged; further ones are lost. */
const maxUnwritten = 50_000;
/** Days of a range that names none. */
const usualDays = 30;
const minuteMs = 60_000;

/** Visitor statistics (Data, Automation and Operations, "Statistics and country data"), on the main thread. */
export class Statistics {
  readonly #deps: StatisticsDeps;
  readonly #thread: CounterThread;
  readonly #saltFile: string;
  readonly #minutes: NodeJS.Timeout;
  #sites: KnownSites | undefined;
  #downloads: Download[] = [];
  #sent: Promise<void> = Promise.resolve();
  #unwritten = 0;
  #lost = 0;
  #day: number;

  constructor(deps: StatisticsDeps) {
    const { clock, views, thread, saltFile } = deps;
    this.#deps = deps;
    this.#saltFile = saltFile;
    this.#thread = thread;
    this.#day = computeDay(clock());
    forgetOldSalt(this.#saltFile, this.#day);
    this.#minutes = setInterval(() => this.everyMinute(), minuteMs).unref();
    views.consumeWith((noted) => this.#take(noted));
  }

  /** Notes a download; see `countDownloads`. */
  download(visit: Download): void {
    if (this.#downloads.length >= maxUnwritten) {
      this.#lost += 1;
      return;
    }
    if (this.#downloads.push(visit) === 1) setTimeout(() => this.#takeDownloads(), 1000).unref();
  }

  /** Forgets the visitors of a day that is over, and says what was lost. */
  everyMinute(): void {
    const { clock, log } = this.#deps;
    if (this.#lost > 0) log.warn({ visits: this.#lost }, 'visits were not counted: there were too many');
    this.#lost = 0;
    const day = computeDay(clock());
    if (day === this.#day) return;
    this.#day = day;
    if (this.#thread.isRunning) this.#thread.run('startDay', { day }).catch((error) => this.#warn(error));
    else forgetOldSalt(this.#saltFile, day);
  }

  /** GET /stats. @throws ApiError `common.notFound`, `common.invalid` */
  async report(query: StatisticsQuery, host: string): Promise<StatisticsReport> {
    const scope = await this.#scopeOf(query, host);
    await this.flush();
    return this.#thread.run('report', scope);
  }

  /** GET /stats/paths. @throws ApiError `common.notFound`, `common.invalid` */
  async pathReport(query: PathQuery, host: string): Promise<PathReport> {
    const scope = await this.#scopeOf(query, host);
    await this.flush();
    return this.#thread.run('path', { scope, path: query.path });
  }

  /** GET /stats/values. @throws ApiError `common.notFound`, `common.invalid` */
  async valueReport({ dimension, name, ...query }: ValueQuery, host: string): Promise<ValueReport> {
    const scope = await this.#scopeOf(query, host);
    await this.flush();
    return this.#thread.run('value', { scope, dimension, name });
  }

  /** GET /stats/export: CSV. @throws ApiError `common.notFound`, `common.invalid` */
  async export(query: StatisticsQuery, host: string): Promise<BodyParts> {
    const scope = await this.#scopeOf(query, host);
    const sites = await listSites(this.#deps.reader);
    await this.flush();
    const titles = new Map(sites.map(({ id, title }) => [id, title]));
    return new BodyParts(await this.#thread.run('export', { scope, titles }));
  }

  /** The last minutes. @param siteId undefined for all websites */
  async live(siteId: number | undefined): Promise<LiveFigures> {
    await this.flush();
    return this.#thread.run('live', { now: this.#deps.clock(), siteId });
  }

  /** DELETE /stats. @throws ApiError `common.notFound`, `common.invalid` */
  async remove({ root_id }: SiteQuery, host: string): Promise<void> {
    const siteId = await this.siteOf(root_id, host);
    await this.flush();
    await this.#thread.run('forget', { siteId });
  }

  /**
   * The website that a query names; undefined for all.
   *
   * @throws ApiError `common.notFound`, `common.invalid` for a subpage
   */
  async siteOf(rootId: string | undefined, host: string): Promise<number | undefined> {
    const { reader } = this.#deps;
    if (rootId === 'all' || rootId === '0') {
      await this.#requireAllSites();
      return undefined;
    }
    if (rootId !== undefined) return (await requireSite(reader, Number(rootId))).id;
    const { table } = await this.#knownSites();
    const site = siteOfHost(table, host) ?? table.fallback?.id;
    if (site === undefined) throw apiError('common.notFound', { field: 'root_id' });
    return (await requireSite(reader, site)).id;
  }

  /** Figures of all websites are for callers who may read all of them. @throws ApiError `common.notFound` */
  async #requireAllSites(): Promise<void> {
    if (findReadLimits() === undefined) return;
    const { reader } = this.#deps;
    for (const id of (await this.#knownSites()).domains.keys()) await requireSite(reader, id);
  }

  /** Deletes the statistics of a deleted website; those of a page are part of its website's. */
  dropSite({ id, root_id }: ChangeRecord): void {
    if (root_id !== undefined && root_id !== id) return;
    this.#thread.run('forget', { siteId: id }).catch((error) => this.#warn(error));
  }

  /** Resolves when the thread has got everything that was noted before. */
  async flush(): Promise<void> {
    await this.#deps.views.flushAll();
    this.#takeDownloads();
    await this.#sent;
  }

  async close(): Promise<void> {
    clearInterval(this.#minutes);
    await this.flush();
    await this.#thread.close();
  }

  #takeDownloads(): void {
    const downloads = this.#downloads;
    this.#downloads = [];
    this.#take(downloads);
  }

  #take(visits: readonly Unchecked[]): void {
    const room = Math.max(0, maxUnwritten - this.#unwritten);
    for (const { times } of visits.slice(room)) this.#lost += times;
    const taken = visits.slice(0, room);
    this.#unwritten += taken.length;
    if (taken.length > 0) this.#sent = this.#sent.then(() => this.#send(taken));
  }

  /** Hands visits to the thread, but for those of administrators; does not wait until they are written. */
  async #send(unchecked: readonly Unchecked[]): Promise<void> {
    for (let start = 0; start < unchecked.length; start += maxBatch) {
      const batch = unchecked.slice(start, start + maxBatch);
      const { table, domains } = await this.#knownSites();
      const visits: string[] = [];
      for (const visit of batch) {
        if (visit.cookie !== '' && (await this.#isAdministrator(visit))) continue;
        const isPage = 'siteId' in visit;
        const siteId = isPage ? visit.siteId : siteOfHost(table, visit.host);
        if (siteId !== undefined) visits.push(visitText(visit, isPage ? 'page' : 'download', siteId));
      }
      this.#thread
        .run('count', {
          visits: visits.join('\n'),
          domains,
          countries: this.#deps.hasCountries(),
          more: start + maxBatch < unchecked.length,
        })
        .catch((error) => this.#warn(error))
        .finally(() => {
          this.#unwritten -= batch.length;
        });
      await nextTurn();
    }
  }

  async #isAdministrator({ cookie, host }: Unchecked): Promise<boolean> {
    return (await this.#deps.auth.sessionOf(cookie, { host })).kind === 'session';
  }

  async #knownSites(): Promise<KnownSites> {
    const version = this.#deps.version.current();
    if (this.#sites?.version === version) return this.#sites;
    const sites = await withoutReadLimits(() => listDomains(this.#deps.reader));
    const domains = new Map(sites.map((site) => [site.id, parseDomains(site)]));
    this.#sites = { version, domains, table: siteTable(sites) };
    return this.#sites;
  }

  async #scopeOf({ root_id, from, to }: StatisticsQuery, host: string): Promise<Scope> {
    const { reader, clock, hasCountries } = this.#deps;
    const days = rangeOf(from, to, computeDay(clock()));
    const site = await this.siteOf(root_id, host);
    const sites = site === undefined ? (await listDomains(reader)).map(({ id }) => id) : [site];
    return { sites, ...days, countries: hasCountries() };
  }

  #warn(error: unknown): void {
    this.#deps.log.warn({ err: error }, 'visitor statistics could not be written');
  }
}

/** The websites at a version of the content. */
interface KnownSites {
  readonly version: number;
  readonly domains: ReadonlyMap<number, readonly string[]>;
  readonly table: SiteTable;
}

function siteOfHost(table: SiteTable, host: string): number | undefined {
  return isHost(host) ? resolveSite(table, host)?.siteId : undefined;
}

/** @throws ApiError `common.invalid` for a date that does not exist, and for `from` after `to` */
function rangeOf(
  from: string | undefined,
  to: string | undefined,
  today: number,
): { from: number; to: number } {
  const last = to === undefined ? today : requireDay('to', to);
  const first = from === undefined ? last - usualDays + 1 : requireDay('from', from);
  if (first > last) throw invalid('from', 'must not be after to');
  return { from: first, to: last };
}

function requireDay(field: string, text: string): number {
  const day = parseDay(text);
  if (day === undefined) throw invalid(field, 'must be a date as YYYY-MM-DD');
  return day;
}
