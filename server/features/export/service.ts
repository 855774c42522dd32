/** Static export of a website (Core, GET /sites/{id}/static). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { linkKey } from '../../../runtime/export/html.ts';
import { computePathPrefix, type ExportedSite } from '../../../runtime/export/site.ts';
import { Reply } from '../../api/reply.ts';
import { apiError, busy } from '../../base/errors.ts';
import { requireSite, type Website } from '../../content/sites/service.ts';
import type { SecurityHeaders } from '../../http/security-headers.ts';
import { PoolBusyError } from '../../processes/pool.ts';
import { listTargets } from '../redirects/service.ts';
import { archiveBody } from './archive.ts';
import { parseBase } from './base.ts';
import { type CollectedExport, collectExport } from './collect.ts';
import type { ExportedFile } from './exported-file.ts';
import { type ExportHistory, hashOfExport } from './history.ts';
import type { ExportProgress, ExportQuery } from './model.ts';
import type { ExportPages } from './pages.ts';
import { createHeadersFile, createRedirectFile } from './redirect-files.ts';
import type { ExportDeps } from './tasks.ts';

export interface ExportServiceDeps extends ExportDeps {
  readonly history: ExportHistory;
  readonly security: SecurityHeaders;
}

/** Exports that wait for the running one; further ones are told to come again. */
const maxWaiting = 4;
const retrySeconds = 10;

/** Exports are made one after the other, because each takes all processors that are free. */
export class StaticExports {
  readonly #deps: ExportServiceDeps;
  #last: Promise<unknown> = Promise.resolve();
  /** The export whose pages are being rendered. */
  #running: { readonly siteId: number; readonly pages: Pick<ExportPages, 'progress'> } | undefined;
  #unfinished = 0;

  constructor(deps: ExportServiceDeps) {
    this.#deps = deps;
  }

  /**
   * The archive, or with `dry` the report about it.
   *
   * @throws ApiError `common.notFound`, `common.invalid`, 422 `export.incomplete` with the report, `common.busy`
   */
  async export(siteId: number, query: ExportQuery): Promise<Reply> {
    const site = await requireSite(this.#deps.reader, siteId);
    const exported: ExportedSite = {
      siteId: site.id,
      ...parseBase(query.base, site.domains),
      hosts: site.domains,
      links: query.links ?? 'root',
    };
    if (this.#unfinished > maxWaiting) throw busy(retrySeconds);
    this.#unfinished += 1;
    const made = this.#last.then(() => this.#make(site, exported, query));
    this.#last = made.catch(() => {});
    try {
      return await made;
    } catch (error) {
      if (!(error instanceof PoolBusyError)) throw error;
      throw busy(error.retryAfterSeconds, error);
    } finally {
      this.#unfinished -= 1;
    }
  }

  /** How far the export of a website is on this node. @throws ApiError `common.notFound` */
  async progress(siteId: number): Promise<ExportProgress> {
    await requireSite(this.#deps.reader, siteId);
    if (this.#running?.siteId !== siteId) return { rendering: false, done: 0, total: 0 };
    return { rendering: true, ...this.#running.pages.progress };
  }

  async #make(site: Website, exported: ExportedSite, query: ExportQuery): Promise<Reply> {
    const collected = await this.#collect(exported, query);
    try {
      return await this.#answer(site, exported, query, collected);
    } catch (error) {
      collected.release();
      throw error;
    }
  }

  async #collect(exported: ExportedSite, { media }: ExportQuery): Promise<CollectedExport> {
    const { siteId } = exported;
    try {
      return await collectExport(this.#deps, exported, {
        withAllMedia: media === 'all',
        onPages: (pages) => {
          this.#running = { siteId, pages };
        },
      });
    } finally {
      this.#running = undefined;
    }
  }

  async #answer(
    site: Website,
    exported: ExportedSite,
    query: ExportQuery,
    { report, files: collected, paths, release }: CollectedExport,
  ): Promise<Reply> {
    const files = byName([...collected, ...(await this.#serverFiles(exported, query, paths))]);
    const hash = await hashOfExport(files);
    const headers = [['X-IC-Export', hash] as const];
    const errors = Object.keys(report.errors).length;
    if (query.dry === true) {
      release();
      return Reply.json(report, { headers });
    }
    if (errors > 0) throw apiError('export.incomplete', { count: errors }, { fields: { report } });
    const { history, media, clock } = this.#deps;
    const { changed_since: since } = query;
    const before = since === undefined ? undefined : await history.find(since);
    await history.keep(hash, files);
    const sent = before === undefined ? files : await changedFiles(files, before);
    const isFull = since !== undefined && before === undefined;
    return Reply.stream(archiveBody(sent, media, new Date(clock()), release), 'application/zip', {
      headers: [
        ...headers,
        ...(isFull ? [['X-IC-Export-Full', '1'] as const] : []),
        ['Content-Disposition', `attachment; filename="${archiveName(site)}"`],
      ],
    });
  }

  /** What tells the server of the files about redirects and headers. */
  async #serverFiles(
    site: ExportedSite,
    { format = 'apache' }: ExportQuery,
    paths: ReadonlySet<string>,
  ): Promise<ExportedFile[]> {
    const { snapshots, security } = this.#deps;
    const file = createRedirectFile(format, computePathPrefix({ ...site, links: 'root' }));
    const parts = [file.head];
    await snapshots.read(async (db) => {
      // Where a page answers, it wins; servers would look at redirects first.
      for await (const slice of listTargets(db, site.siteId))
        for (const redirect of slice)
          if (!paths.has(linkKey(redirect.source))) parts.push(file.line(redirect));
    });
    const headers = createHeadersFile(format, security.current[site.scheme].site);
    return [
      madeFile(file.name, parts.join('')),
      ...(headers === undefined ? [] : [madeFile(headers.name, headers.text)]),
    ];
  }
}

/** The files that an earlier export had not, or not with this content, and the list of those that are gone. */
async function changedFiles(
  files: readonly ExportedFile[],
  before: ReadonlyMap<string, string>,
): Promise<ExportedFile[]> {
  const gone = new Set(before.keys());
  const changed = files.filter(({ entry, hash }) => {
    gone.delete(entry.name);
    return before.get(entry.name) !== hash;
  });
  await nextTurn();
  return [
    ...changed,
    madeFile(
      '_deleted.txt',
      [...gone]
        .sort()
        .map((name) => `${name}\n`)
        .join(''),
    ),
  ];
}

/** A file that is short enough to be made here. */
function madeFile(name: string, text: string): ExportedFile {
  const bytes = Buffer.from(text);
  const crc = crc32(bytes);
  return {
    entry: { name, packedBytes: bytes.length, bytes: bytes.length, isDeflated: false, crc },
    hash: String(crc),
    source: { kind: 'bytes', bytes },
  };
}

function byName(files: readonly ExportedFile[]): ExportedFile[] {
  return files.toSorted((left, right) => (left.entry.name < right.entry.name ? -1 : 1));
}

/** A plain name: the first domain, else the number of the website. */
function archiveName({ id, domains }: Website): string {
  return `${(domains[0] ?? `site-${id}`).replaceAll(/[^a-z0-9.-]/g, '-')}.zip`;
}
