import type { WorkerSettings } from '../../runtime/tasks/context.ts';
import type {
  CheckTemplateTask,
  DocumentResult,
  DocumentTask,
  TemplateDataResult,
  TemplateDataTask,
  TemplateReport,
} from '../../runtime/tasks/messages.ts';
import type { Clock } from '../clock.ts';
import { apiError } from '../errors.ts';
import type { PublicHandler } from '../http/public.ts';
import type { Log } from '../log.ts';
import type { Answer } from './answer.ts';
import { type CachedFile, Files } from './files.ts';
import { HostPrefixes } from './hosts.ts';
import { PageCache, type PageCacheStats } from './page-cache.ts';
import { Pages, type Visits } from './pages.ts';
import type { FindPreviewScope } from './preview.ts';
import { PoolBusyError, RenderPool } from './render-pool.ts';

export interface SiteDeps {
  /** Path of the render worker's code. */
  readonly workerFile: string;
  /** Path of content.db, migrated already. */
  readonly databaseFile: string;
  /** Folder for compiled templates and minified assets; everything in it can be made again. */
  readonly cacheDir: string;
  /** One Int32, raised by every committed change before `cache.clear()` is called. */
  readonly contentVersion: SharedArrayBuffer;
  /** Page cache in MB (2^20 bytes), 0 = off. */
  readonly cacheMb: number;
  /** Threads that render. */
  readonly workers: number;
  /** Of absolute URLs. */
  readonly scheme: 'http' | 'https';
  readonly findPreviewScope: FindPreviewScope;
  /** Whether cookies are for HTTPS only. */
  readonly secureCookies: boolean;
  readonly visits: Visits;
  readonly clock: Clock;
  readonly log: Log;
}

/** Public delivery: everything a visitor gets (Core, "Public non-API routes", "Page cache"). */
export interface Site {
  /** Synchronous for cached pages. */
  readonly handle: PublicHandler;
  readonly cache: {
    stats(): PageCacheStats;
    /** Forgets everything rendered; to be called after every commit, before its caller is answered. */
    clear(): void;
  };
  /** Static findings in templates, which need not be stored. */
  reportOnTemplates(sources: CheckTemplateTask['sources']): Promise<readonly TemplateReport[]>;
  /** Pages by their ID for the API. @throws ApiError `common.busy` */
  readonly renders: {
    document(task: Omit<DocumentTask, 'kind'>): Promise<DocumentResult>;
    templateData(task: Omit<TemplateDataTask, 'kind'>): Promise<TemplateDataResult>;
  };
  close(): Promise<void>;
}

export function createSite(deps: SiteDeps): Site {
  const { databaseFile, cacheDir, contentVersion, scheme, visits, clock, log } = deps;
  const version = new Int32Array(contentVersion);
  const currentVersion = () => Atomics.load(version, 0);
  const settings: WorkerSettings = { databaseFile, cacheDir, contentVersion, scheme };
  const pool = new RenderPool({
    filename: deps.workerFile,
    workerData: settings,
    workers: deps.workers,
    log,
  });
  const hosts = new HostPrefixes();
  const cacheOf = <T>(maxBytes: number) => new PageCache<T>({ maxBytes, nowMs: clock, currentVersion });
  const pageCache = cacheOf<Answer>(deps.cacheMb * 2 ** 20);
  const fileCache = cacheOf<CachedFile>(FILE_CACHE_BYTES);
  const { findPreviewScope, secureCookies } = deps;
  const pages = new Pages({
    secureCookies,
    findPreviewScope,
    cache: pageCache,
    hosts,
    pool,
    currentVersion,
    visits,
    clock,
    log,
  });
  const files = new Files({ cache: fileCache, hosts, pool, currentVersion, clock });

  return {
    handle: (request) => pages.cached(request) ?? files.find(request) ?? pages.rendered(request),
    cache: {
      stats: () => pageCache.stats(),
      clear() {
        hosts.clear();
        pageCache.clear();
        fileCache.clear();
      },
    },
    reportOnTemplates: (sources) => pool.run({ kind: 'check-template', sources }),
    renders: {
      document: (task) => orBusy(pool.run({ ...task, kind: 'document' })),
      templateData: (task) => orBusy(pool.run({ ...task, kind: 'template-data' })),
    },
    close: () => pool.close(),
  };
}

async function orBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof PoolBusyError)) throw error;
    const retry = ['Retry-After', String(error.retryAfterSeconds)] as const;
    throw apiError('common.busy', {}, { cause: error, headers: [retry] });
  }
}

const FILE_CACHE_BYTES = 16 * 2 ** 20;
