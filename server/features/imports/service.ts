import { apiError, invalid, invalidFields } from '../../base/errors.ts';
import type { StartTimer } from '../../base/timers.ts';
import { TimeSlices } from '../../base/timers.ts';
import { keepJournal } from '../../content/kinds/journal/journal.ts';
import { requireObject } from '../../content/kinds/objects.ts';
import { normalizeDomains } from '../../content/sites/domains.ts';
import { checkDomains } from '../../content/sites/service.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { SharedServices } from '../../feature.ts';
import type { Staging } from '../../storage/staging.ts';
import type { SiteCreate } from '../pages/model.ts';
import { createSite, siteFaults } from '../pages/service.ts';
import { type JobPlan, Jobs, type Progress } from './jobs/jobs.ts';
import { SharedJobs } from './jobs/shared-jobs.ts';
import { Fetcher } from './loading/fetcher.ts';
import type { ParsingPool } from './loading/pool.ts';
import { Workspace } from './loading/workspace.ts';
import { importLimits, type Job, type ReimportRequest, type RunRequest, type ScanRequest } from './model.ts';
import { isSameSite, siteHost, webAddress, withoutFragment } from './parsing/address.ts';
import { runImport } from './run/run.ts';
import type { RunTools, TargetPage } from './run/tools.ts';
import { scanSite } from './scan/scan.ts';
import { findHosts } from './store.ts';

export interface ImportsDeps
  extends Pick<
      SharedServices,
      'outgoing' | 'clock' | 'log' | 'reader' | 'changes' | 'registry' | 'activity' | 'nodeState' | 'config'
    >,
    Pick<RunTools, 'media' | 'pages'> {
  readonly staging: Staging;
  readonly pool: ParsingPool;
  readonly later: StartTimer;
}

/** Website imports (Data, Automation and Operations, "Website import"). */
export class Imports {
  readonly jobs: Jobs;
  readonly #deps: ImportsDeps;

  constructor(deps: ImportsDeps) {
    this.#deps = deps;
    const shared = deps.nodeState === undefined ? undefined : new SharedJobs(deps);
    this.jobs = new Jobs({ ...deps, shared });
  }

  /**
   * POST /import/scan
   *
   * @throws ApiError `common.invalid`, 409 `import.tooMany`
   */
  async scan({
    url: text,
    crawl = false,
    respect_robots = true,
    max_pages = importLimits.pages,
  }: ScanRequest): Promise<Job> {
    const url = this.#address('url', text);
    return this.#start({ kind: 'scan' }, url.href, (tools) =>
      scanSite({ ...tools, maxPages: max_pages }, { url: url.href, crawl, respectRobots: respect_robots }),
    );
  }

  /**
   * POST /import/run
   *
   * @throws ApiError `common.invalid`, `common.notFound` for the target, 409 `site.domainTaken`, `import.running`,
   *   `import.tooMany`
   */
  async run(body: RunRequest): Promise<Job> {
    const base = this.#address('base', body.base);
    const { reader } = this.#deps;
    const { new_site, target_page_id } = body;
    if ((new_site === undefined) === (target_page_id === undefined))
      throw invalid('target_page_id', 'must be given, or new_site, but not both');
    const known = target_page_id === undefined ? undefined : await this.#target(target_page_id);
    if (new_site !== undefined) await checkNewSite(reader, new_site);
    return this.#start(importOf(known), base.href, async (jobTools) => {
      const tools = this.#runTools(jobTools);
      const urls = await urlsOf(body.urls, base, tools.progress);
      if (urls.length === 0) throw apiError('import.noneInBase', { base: base.href });
      tools.progress.phase('import.phaseCheck', urls.length);
      const target =
        known ??
        newTarget(
          await tools.changes.change({ kind: 'import' }, (change) => createSite(change, newSiteOf(body))),
        );
      return runImport(tools, {
        base,
        urls,
        target,
        overwrite: body.overwrite ?? false,
        overwriteModified: body.overwrite_modified ?? false,
        force: body.force ?? false,
        publish: body.publish ?? false,
        downloadHosts: new Set((body.download_hosts ?? []).map((host) => host.trim().toLowerCase())),
      });
    });
  }

  /**
   * POST /pages/{id}/reimport
   *
   * @throws ApiError `common.notFound`, 409 `import.notImported`, `import.running`, `import.tooMany`
   */
  async reimport(id: number, { overwrite_modified = false, force = false }: ReimportRequest): Promise<Job> {
    const { pages, reader } = this.#deps;
    const page = await requireObject(pages, reader, id);
    if (page.source_url === '') throw apiError('import.notImported', {});
    const url = new URL(page.source_url);
    const base = new URL('/', url);
    // If the target page is gone, its website takes its place.
    const target = await this.#target(page.import_root).catch(() => this.#target(page.root_id));
    return this.#start(importOf(target), base.href, async (tools) =>
      runImport(this.#runTools(tools), {
        base,
        urls: [url],
        target: { ...target, id: page.import_root },
        overwrite: true,
        overwriteModified: overwrite_modified,
        force,
        publish: false,
        downloadHosts: new Set(await findHosts(reader, page.root_id, siteHost(base))),
      }),
    );
  }

  /** @throws ApiError `common.notFound` */
  async #target(id: number): Promise<TargetPage> {
    const page = await requireObject(this.#deps.pages, this.#deps.reader, id);
    return { id, rootId: page.root_id, path: page.path, isHome: page.parent_id === null, isNew: false };
  }

  #runTools(tools: JobTools): RunTools {
    const { reader, media, pages, config } = this.#deps;
    const maxFileBytes = config.maxUploadMb * 2 ** 20;
    return { ...tools, reader, changes: this.#journaled(tools.progress.id), media, pages, maxFileBytes };
  }

  /** Changes of a job, all of which can be reverted under its ID. */
  #journaled(key: string): RunTools['changes'] {
    const { changes, registry } = this.#deps;
    return {
      change: (actor, work) =>
        changes.change(actor, (change) =>
          keepJournal(change, registry.byName, { source: 'import', key }, work),
        ),
    };
  }

  /** Begins a job with a folder of its own and a client for the website that the user has named. */
  #start(
    plan: Omit<JobPlan, 'run' | 'url'>,
    base: string,
    work: (tools: JobTools) => Promise<NonNullable<Job['result']>>,
  ): Promise<Job> {
    const { outgoing, staging, later, pool } = this.#deps;
    return this.jobs.start({
      ...plan,
      url: base,
      run: (progress) =>
        Workspace.with(staging, (workspace) => {
          const { signal } = progress;
          const fetcher = new Fetcher({ outgoing, workspace, later, base, signal });
          return work({ fetcher, workspace, pool, progress });
        }),
    });
  }

  /** An address that a user has typed. @throws ApiError `common.invalid` */
  #address(field: string, text: string): URL {
    const trimmed = text.trim();
    const url = webAddress(
      /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`,
      'https://a.invalid',
    );
    if (url === undefined) throw invalid(field, 'must be an http or https address');
    const fault = this.#deps.outgoing.faultOf(url.href);
    if (fault !== undefined) throw invalid(field, fault.message);
    url.hash = '';
    return url;
  }
}

/** What every job works with. */
export interface JobTools {
  readonly fetcher: Fetcher;
  readonly workspace: Workspace;
  readonly pool: ParsingPool;
  readonly progress: Progress;
}

/** Two imports into one website would make its pages twice. */
function importOf(target: TargetPage | undefined): Omit<JobPlan, 'run' | 'url'> {
  return { kind: 'import', ...(target === undefined ? {} : { target: String(target.rootId) }) };
}

/** The addresses of the website, each once. Others are noted in the log. */
async function urlsOf(texts: readonly string[], base: URL, progress: Progress): Promise<URL[]> {
  const urls = new Map<string, URL>();
  const slices = new TimeSlices();
  for (const text of texts) {
    await slices.next();
    const url = webAddress(text, base.href);
    if (url !== undefined && isSameSite(url, base))
      urls.set(withoutFragment(url), new URL(withoutFragment(url)));
    else progress.note('warn', 'import.pageOutside', {}, url?.href);
  }
  return [...urls.values()];
}

/** @throws ApiError `common.invalid` below `new_site`, 409 `site.domainTaken` */
async function checkNewSite(db: ContentDb, site: SiteCreate): Promise<void> {
  const faults = await siteFaults(site);
  if (faults.length > 0)
    throw invalidFields(faults.map(({ field, reason }) => ({ field: `new_site.${field}`, reason })));
  await checkDomains(db, 0, normalizeDomains(site.domains ?? ''));
}

function newSiteOf({ new_site }: RunRequest): SiteCreate {
  return new_site ?? { title: '' };
}

function newTarget({ id, path }: { readonly id: number; readonly path: string }): TargetPage {
  return { id, rootId: id, path, isHome: true, isNew: true };
}
