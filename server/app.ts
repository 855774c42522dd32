import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { assetRoutes } from './assets/routes.ts';
import { assetVersions } from './assets/versions.ts';
import { createLockout } from './auth/lockout.ts';
import { createPasswords } from './auth/password.ts';
import { authRoutes } from './auth/routes.ts';
import { createAuth } from './auth/service.ts';
import { isSetupRequired } from './auth/users.ts';
import { type BuildInfo, readBuildInfo } from './build-info.ts';
import { cacheRoutes } from './cache/routes.ts';
import { watchCacheFolder } from './cache-folder.ts';
import { createChanges } from './change.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { lockDataDir } from './db/lock.ts';
import { ensureDirectory, openDatabases } from './db/open.ts';
import { installDemo } from './demo/index.ts';
import { createAnswerMemo } from './http/answer-memo.ts';
import { createFront } from './http/exchange/index.ts';
import { createApi } from './http/front.ts';
import { openApiRoute } from './http/openapi.ts';
import { createRateLimit } from './http/rate-limit.ts';
import type { Route } from './http/route.ts';
import type { Log } from './log.ts';
import { notFoundRoutes } from './notfound/routes.ts';
import { NotFoundLog } from './notfound/service.ts';
import { createPreviewAccess } from './pages/preview-links/access.ts';
import { previewLinkRoutes } from './pages/preview-links/routes.ts';
import { previewRoutes } from './pages/previews/routes.ts';
import { pageRoutes } from './pages/routes.ts';
import { translationRoutes } from './pages/translations/routes.ts';
import { pageVersions } from './pages/versions.ts';
import { RedirectHits } from './redirects/hits.ts';
import { redirectRoutes } from './redirects/routes.ts';
import { revisionRoutes } from './revisions/routes.ts';
import type { VersionedKinds } from './revisions/service.ts';
import { createSite } from './site/index.ts';
import { snippetRoutes } from './snippets/routes.ts';
import { snippetVersions } from './snippets/versions.ts';
import { sources } from './startup/bundle.ts';
import { createAdminGate } from './system/admin-gate.ts';
import { createHealth } from './system/health.ts';
import { systemRoutes } from './system/routes.ts';
import { createTemplateAnalysis } from './templates.ts';

export interface App {
  readonly build: BuildInfo;
  /** The route table, for tests and documentation made from it. */
  readonly routes: readonly Route[];
  /** What setup from an address that is not local has to know; undefined when there is nothing to set up. */
  readonly setupToken: string | undefined;
  /** Of the demo administrator, if this start has created it. */
  readonly demoPassword: string | undefined;
  /**
   * Starts accepting requests; resolves with the port.
   *
   * @throws StartupError when the address cannot be had
   */
  listen(): Promise<number>;
  /** Stops accepting, finishes what is running (10 s at most), writes what is collected, closes everything. */
  close(): Promise<void>;
}

export interface AppOptions {
  readonly clock?: Clock;
  /** Path of the render worker's code. Default: its source. */
  readonly workerFile?: string;
}

/** Milliseconds that only ever grow, whatever is done to the system's clock. */
const monotonic: Clock = () => performance.now();
/** How long a shutdown waits for running requests, in milliseconds. */
const graceMs = 10_000;
/** A write of the server waits this long in SQLite, blocking the thread, before `change()` tries again later. */
const busyTimeoutMs = 20;

/**
 * Builds every part of the server once, in reading order: storage, the change queue, public delivery, the API, the
 * front. Nothing listens yet.
 *
 * @throws StartupError when the data directory cannot be used
 */
export async function createApp(
  config: Config,
  log: Log,
  { clock = Date.now, workerFile = sources().worker }: AppOptions = {},
): Promise<App> {
  const build = readBuildInfo();
  ensureDirectory(config.dataDir);
  const lock = lockDataDir(config.dataDir);
  const databases = openDatabases(config.dataDir, busyTimeoutMs);
  const { reader, writer } = databases.content;

  const scheme = config.tls === undefined ? 'http' : 'https';
  const cacheDir = join(config.dataDir, 'cache');
  const cacheFolder = watchCacheFolder(cacheDir, log);
  const secureCookies = config.secureCookies || config.tls !== undefined;
  const changes = createChanges({ writer, clock, log });
  const activity = { writer: databases.activity.writer, reader: databases.activity.reader };
  const notFound = new NotFoundLog({ content: reader, ...activity, clock, log });
  const hits = new RedirectHits({ ...activity, clock, log });
  const gate = await createAdminGate({ reader, changes, config });
  const auth = createAuth({
    reader,
    activity: databases.activity.writer,
    masterToken: config.masterToken,
    gate,
    clock,
    log,
  });
  const site = createSite({
    workerFile,
    databaseFile: databases.content.file,
    cacheDir,
    contentVersion: changes.contentVersion,
    cacheMb: config.cacheMb,
    workers: config.workers,
    scheme,
    findPreviewScope: createPreviewAccess({ reader, auth, clock }),
    secureCookies,
    visits: {
      missed: (siteId, path, referer) => notFound.count(siteId, path, referer),
      redirected: (siteId, redirectId) => hits.count(siteId, redirectId),
    },
    clock,
    log,
  });
  changes.onCommit(() => site.cache.clear());
  changes.onCommit((commits) => {
    notFound.follow(commits);
    hits.follow(commits);
  });
  const passwords = createPasswords();
  const demoPassword = config.demo ? await installDemo({ reader, changes, passwords, gate, log }) : undefined;
  const setupToken = randomBytes(18).toString('base64url');
  const templates = createTemplateAnalysis((list) => site.reportOnTemplates(list), log);
  changes.onCommit((commits) => {
    const names = commits.some(({ records }) =>
      records.some(({ kind }) => kind === 'snippet' || kind === 'asset'),
    );
    if (names) templates.forget();
  });
  const versioned: VersionedKinds = new Map([
    ['page', pageVersions(templates)],
    ['snippet', snippetVersions(templates)],
    ['asset', assetVersions],
  ]);
  const answers = createAnswerMemo(changes.contentVersion);
  const features = [
    ...authRoutes({
      reader,
      activity: databases.activity.reader,
      changes,
      passwords,
      lockout: createLockout({ monotonic }),
      gate,
      setupToken,
      tokenUses: auth.tokenUses,
      secureCookies,
      version: build.version,
    }),
    ...systemRoutes({
      reader,
      changes,
      gate,
      hasMasterToken: config.masterToken !== undefined,
      version: build.version,
    }),
    ...pageRoutes({ reader, changes, templates, answers }),
    ...translationRoutes({ reader, changes }),
    ...previewRoutes({ reader, renders: site.renders, clock }),
    ...previewLinkRoutes({ reader, changes, clock }),
    ...assetRoutes({ reader, changes, answers }),
    ...snippetRoutes({ reader, changes, templates, answers }),
    ...revisionRoutes({ reader, changes, kinds: versioned }),
    ...redirectRoutes({ reader, changes, hits, notFound }),
    ...notFoundRoutes(notFound),
    ...cacheRoutes(site.cache),
  ];
  const routes = [...features, openApiRoute(features, build.version)];
  const rateLimit = createRateLimit({ perMinute: config.rateLimit, monotonic });
  const api = createApi({ routes, build: build.build, log, rateLimit, ...auth });
  const health = createHealth({ reader, build, gate, clock, log });
  const front = createFront({
    api,
    site: (request) => (request.path === '/healthz' ? health() : site.handle(request)),
    tls: config.tls,
    log,
  });

  return {
    build,
    routes,
    setupToken: gate.isOpen && (await isSetupRequired(reader)) ? setupToken : undefined,
    demoPassword,
    listen: () => front.listen(config.address.host, config.address.port),
    async close() {
      await front.close(graceMs);
      await changes.idle();
      await auth.close();
      await site.close();
      await notFound.close();
      await hits.close();
      cacheFolder.close();
      databases.close();
      lock.release();
    },
  };
}
