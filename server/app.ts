import { join } from 'node:path';
import type { OutsideAnswer, OutsideRequest } from '../runtime/content/source-data.ts';
import type { SigningKey } from '../runtime/files/signature.ts';
import type { WorkerSettings } from '../runtime/tasks/context.ts';
import { adminFeature } from './admin/index.ts';
import { assetsFeature } from './assets/index.ts';
import { auditFeature } from './audit/index.ts';
import { AdminGate } from './auth/admin-gate.ts';
import { authFeature } from './auth/index.ts';
import { isSetupRequired } from './auth/users.ts';
import { finishRestore } from './backup/finish.ts';
import { batchFeature } from './batch/index.ts';
import { blocksFeature } from './blocks/index.ts';
import { type BuildInfo, readBuildInfo } from './build-info.ts';
import { bundleFeature } from './bundle/index.ts';
import { watchCacheFolder } from './cache-folder.ts';
import { Changes } from './change.ts';
import { newestChange } from './change-log.ts';
import { cleanupFeature } from './cleanup/index.ts';
import type { Clock } from './clock.ts';
import { guarded } from './cluster/guard.ts';
import type { Cluster } from './cluster/index.ts';
import { openStores } from './cluster/stores.ts';
import { fieldsChangeFeature } from './collections/fields-change/index.ts';
import { collectionsFeature } from './collections/index.ts';
import { type Config, ownScheme } from './config.ts';
import { connectionsFeature } from './connections/index.ts';
import { findRemote } from './connections/service.ts';
import { ContentVersion } from './content-version.ts';
import { LargeCommits } from './db/large-commits.ts';
import { lockDataDir } from './db/lock.ts';
import { ensureDirectory } from './db/open.ts';
import { Snapshots } from './db/snapshots.ts';
import type { ContentSnapshots } from './db/tables.ts';
import { addressesOf, deliveryFeature, publicHandler } from './delivery/index.ts';
import { type DemoResult, demoFeature, installDemo } from './demo/index.ts';
import type { ApiError } from './errors.ts';
import { exportFeature } from './export/index.ts';
import { extdbFeature } from './extdb/index.ts';
import type { Feature, Parts } from './feature.ts';
import { feedFeature } from './feed/index.ts';
import { Definitions } from './flow-nodes/definitions.ts';
import { flowNodesFeature } from './flow-nodes/index.ts';
import { globalBlocksFeature } from './global-blocks/index.ts';
import { AnswerMemo } from './http/answer-memo.ts';
import type { ApiRequest, ReadyRequest } from './http/api.ts';
import { apiIndexRoute } from './http/api-index.ts';
import { Front } from './http/exchange/index.ts';
import { openTransport } from './http/exchange/open-transport.ts';
import { Api, type ApiOptions } from './http/front.ts';
import { openApiRoute } from './http/openapi.ts';
import { RateLimit } from './http/rate-limit.ts';
import { ReadyAnswers } from './http/ready-answers.ts';
import type { Route } from './http/route.ts';
import type { AnswerSharing } from './http/sharing.ts';
import { Views } from './http/views.ts';
import { importsFeature } from './imports/index.ts';
import { ReferenceBacklog } from './kinds/reference-backlog.ts';
import { type KindRoutesDeps, kindRoutes } from './kinds/routes.ts';
import type { Later } from './later.ts';
import type { Log } from './log.ts';
import { mailFeature } from './mail/index.ts';
import { markdownFeature } from './markdown/index.ts';
import { mediaFeature } from './media/index.ts';
import { findImportedFile, hasFile } from './media/service.ts';
import { openSigningKey, shareSigningKey } from './media/signing-key.ts';
import { metricsFeature } from './metrics/index.ts';
import { MeasuredPool } from './metrics/measured-pool.ts';
import { counted, Traffic } from './metrics/traffic.ts';
import { notFoundFeature } from './notfound/index.ts';
import { Outgoing, type OutgoingOptions } from './outgoing/client.ts';
import { OwnRequests } from './own-requests.ts';
import { pagesFeature } from './pages/index.ts';
import { penAddresses, pensFeature } from './pens/index.ts';
import { redirectsFeature } from './redirects/index.ts';
import { RenderPool } from './render-pool.ts';
import { revisionsFeature } from './revisions/index.ts';
import { Sandbox, type SandboxOptions } from './sandbox/sandbox.ts';
import { schemaFeature } from './schema/index.ts';
import { searchFeature } from './search/index.ts';
import { Secrets } from './secrets/index.ts';
import { securityFeature } from './security/index.ts';
import type { KeptRows } from './shared-order.ts';
import { snippetsFeature } from './snippets/index.ts';
import { sourcesFeature } from './sources/index.ts';
import { sources as sourceFiles } from './startup/bundle.ts';
import { statisticsFeature } from './statistics/index.ts';
import { storageFeature } from './storage/index.ts';
import { StorageService } from './storage/service.ts';
import { systemFeature } from './system/index.ts';
import { type CheckedText, TextAnalysis } from './texts.ts';
import { usageFeature } from './usage/index.ts';
import { webhooksFeature } from './webhooks/index.ts';
import { workflowSecretsFeature } from './workflow-secrets/index.ts';
import { type WorkflowOptions, workflowsFeature } from './workflows/index.ts';

export interface App {
  readonly build: BuildInfo;
  /** The route table, for tests and for generated documentation. */
  readonly routes: readonly Route[];
  /**
   * Starts accepting requests; resolves with the port.
   *
   * @throws StartupError when the address is not available
   */
  listen(): Promise<number>;
  /**
   * Installs the demo website, unless the data directory has content.
   *
   * @param origin address at which this server can be reached, without a slash at the end
   */
  installDemo(origin: string): Promise<DemoResult>;
  /**
   * Token that setup from a non-local address must send; undefined if setup is done or the admin is closed.
   */
  setupToken(): Promise<string | undefined>;
  /** Stops accepting, waits for running requests (at most 10 s), writes buffered data, closes everything. */
  close(): Promise<void>;
}

export interface AppOptions {
  readonly clock?: Clock;
  /** Runs a task later. Default: the timers of the system. */
  readonly later?: Later;
  /** Path of the render worker's code. Default: its source. */
  readonly workerFile?: string;
  /** Path of the code of image processes. Default: its source. */
  readonly imageWorkerFile?: string;
  /** Path of the code of a process that reads what other websites send. Default: its source. */
  readonly parserFile?: string;
  /** Path of the code of a thread of the front. Default: its source. */
  readonly threadFile?: string;
  /** Path of the code of the thread that counts visits. Default: its source. */
  readonly statisticsFile?: string;
  /** Parts that workflows use in place of those of the server, for tests. */
  readonly workflowParts?: Partial<WorkflowOptions>;
  /** Path of the code of a sandbox process. Default: its source. */
  readonly sandboxFile?: string;
  /** How names are resolved and addresses are reached, for tests without the internet. */
  readonly outgoing?: Pick<OutgoingOptions, 'resolve' | 'route'>;
  /** Limits of the sandbox, for tests. */
  readonly sandbox?: Pick<SandboxOptions, 'limits'>;
  /** Additional features, for tests. */
  readonly moreFeatures?: (parts: Parts) => readonly Feature[];
}

/** How long a shutdown waits for running requests, in milliseconds. */
const graceMs = 10_000;

/**
 * Builds the whole server: parts, features, front. Nothing listens yet.
 *
 * @throws StartupError when the data directory cannot be used
 */
export async function createApp(config: Config, log: Log, options: AppOptions = {}): Promise<App> {
  const threadFile = options.threadFile ?? sourceFiles().thread;
  const localPeer = loopbackAddress(config.address.host);
  const transport = await openTransport({ ...config.front, tls: config.tls, log, threadFile, localPeer });
  const { parts, pool, settings, workerFile, signingKey, databaseFiles, cluster, close } = await openParts(
    config,
    log,
    transport.sharing,
    options,
  );
  const { reader, changes, build, monotonic } = parts;

  const gate = await AdminGate.open(parts);
  const storage = await StorageService.open(parts);
  const auth = authFeature(parts, gate, (id) => findRemote(reader, id));
  const security = await securityFeature(parts);
  const notFound = notFoundFeature(parts);
  const redirects = redirectsFeature(parts, notFound.notFound);
  const media = await mediaFeature(parts, {
    storage: storage.media,
    staging: storage.staging,
    auth: auth.auth,
    signingKey,
    imageWorkerFile: options.imageWorkerFile ?? sourceFiles().images,
    later: options.later,
  });
  const pages = pagesFeature(parts, auth.auth, media.findMedia);
  const sources = sourcesFeature(parts);
  const collections = collectionsFeature(parts, {
    sourceJson: sources.json,
    targets: { hasFile, findFile: findImportedFile },
  });
  const { collectionKinds } = collections;
  const secrets = await workflowSecretsFeature(parts);
  const mail = await mailFeature(parts);
  const extdb = await extdbFeature(parts);
  const schema = schemaFeature(parts);
  const webhooks = await webhooksFeature(parts, schema.schema, options.later);
  const definitions = await Definitions.open(reader);
  const workflows = await workflowsFeature(parts, {
    code: parts.sandbox,
    databases: extdb.databases,
    mail: mail.mail,
    secrets: secrets.secrets,
    definitions,
    ...options.workflowParts,
    entries: collections.entries,
    later: options.later,
  });
  const askOutside = (request: OutsideRequest): Promise<OutsideAnswer> => {
    if ('workflow' in request) return workflows.answerCall(request);
    return 'sitemapSource' in request ? workflows.answerSitemap(request) : sources.answer(request);
  };
  pool.answerSourcesWith(askOutside);
  const content: readonly Feature[] = [
    pages,
    assetsFeature(),
    snippetsFeature(parts),
    globalBlocksFeature(parts),
    blocksFeature(parts),
    collections,
    sources,
    workflows,
    redirects,
    media,
    flowNodesFeature(parts, {
      definitions,
      usedBy: workflows.usersOf,
      databases: workflows.callDatabase,
    }),
    cleanupFeature(),
    markdownFeature(parts),
    pensFeature(parts),
    ...(options.moreFeatures?.(parts) ?? []),
  ];
  const kinds = content.flatMap((feature) => feature.kinds ?? []);
  const kindsByName = new Map(kinds.map((kind) => [kind.name, kind]));
  const backlog = new ReferenceBacklog({ reader, changes, log, kinds: kindsByName });
  const imports = importsFeature(parts, {
    staging: storage.staging,
    media,
    pages: pages.kind,
    parserFile: options.parserFile ?? sourceFiles().parser,
    later: options.later,
  });
  const bundle = bundleFeature(
    {
      ...parts,
      kinds,
      attachedTables: imports.attachedTables ?? [],
      backlog,
      contents: media.contents,
      staging: storage.staging,
    },
    gate,
  );
  const connections = connectionsFeature({
    ...parts,
    bundles: bundle.bundles,
    staging: storage.staging,
  });
  const { remoteMode } = connections;
  const delivery = deliveryFeature(parts, {
    findPreviewScope: pages.findPreviewScope,
    visits: {
      missed: (siteId, path, referer) => notFound.notFound.count(siteId, path, referer),
      redirected: (siteId, redirectId) => redirects.hits.count(siteId, redirectId),
    },
  });
  const statistics = await statisticsFeature(parts, {
    auth: auth.auth,
    staging: storage.staging,
    threadFile: options.statisticsFile ?? sourceFiles().statistics,
  });
  const traffic = new Traffic();
  parts.sharing.countWith((statusClass, times) => traffic.count('public', statusClass, times));
  const { cache } = delivery;
  const rateLimit = new RateLimit({ perMinute: config.rateLimit, monotonic });
  const demoTools = { media, collections: collectionKinds, workflows: workflows.kind };
  const features: readonly Feature[] = [
    auth,
    systemFeature(parts, gate, security),
    security,
    adminFeature(gate, penAddresses({ ...parts, ...auth, rateLimit, security: security.headers })),
    demoFeature(parts, demoTools),
    storageFeature(storage),
    ...content,
    revisionsFeature(parts, kinds),
    usageFeature(parts, kindsByName, backlog),
    searchFeature(parts),
    fieldsChangeFeature({ ...parts, kinds: kindsByName }),
    batchFeature(parts, kindsByName),
    bundle,
    connections,
    feedFeature(parts, options.later),
    auditFeature(parts),
    exportFeature(parts, {
      media: media.publicMedia,
      staging: storage.staging,
      security: security.headers,
      askOutside,
      workerFile,
      settings,
    }),
    schema,
    secrets,
    mail,
    extdb,
    webhooks,
    imports,
    notFound,
    statistics,
    delivery,
    metricsFeature({
      ...parts,
      ...auth,
      workers: config.workers,
      pool,
      cache,
      traffic,
      files: databaseFiles,
    }),
  ];

  for (const { onCommit } of features) if (onCommit !== undefined) changes.onCommit(onCommit);
  const routes = features.flatMap((feature) => routesOf(feature, { ...parts, kinds: kindsByName, backlog }));
  routes.push(apiIndexRoute(build.version));
  routes.push(openApiRoute(routes, { version: build.version, tags: tagsOf(features) }));
  const ready = new ReadyAnswers(parts.version);
  const forward: ApiOptions['forward'] = (request, actor) => remoteMode.forward(request, actor);
  const api = new Api({ routes, build: build.build, log, rateLimit, auth: auth.auth, ready, forward });
  const handlers = {
    api: (request: ApiRequest) => api.answer(request),
    ready: (request: ReadyRequest) => api.ready(request),
    delivery: remoteMode.delivery(
      publicHandler(delivery.pages, statistics.withDownloads(addressesOf(features))),
      auth.auth,
    ),
  };
  const refuseApi = (error: ApiError) => api.refuse(error);
  const front = new Front({
    ...counted(
      traffic,
      cluster === undefined ? handlers : guarded(() => cluster.serves(), refuseApi, handlers),
    ),
    refuseApi,
    security: security.headers,
    transport,
    scheme: ownScheme(config),
    views: parts.views,
    localPeer,
    bodySeconds: config.front.bodySeconds,
    log,
    spillPath: () => storage.staging.reserve(),
  });
  await cluster?.start({
    version: parts.version,
    kept: [...features.flatMap(({ kept = [] }) => kept), namesInTexts(parts.texts)],
    onLease: (ms) => parts.sharing.giveFor(ms),
  });
  backlog.start();
  return {
    build,
    routes,
    listen: () => front.listen(config.address.host, config.address.port),
    installDemo: (origin) => installDemo(parts, { ...demoTools, gate, ...auth }, origin),
    setupToken: async () => (gate.isOpen && (await isSetupRequired(reader)) ? auth.setupToken : undefined),
    async close() {
      await front.close(graceMs);
      parts.views.flush();
      backlog.close();
      await changes.idle();
      for (const feature of features) await feature.close?.();
      await close();
    },
  };
}

/** Names that reports about texts depend on. */
function namesInTexts(texts: TextAnalysis): KeptRows {
  const tables = ['assets', 'collections', 'snippets', 'sources'] as const;
  return { tables, reload: () => texts.forget() };
}

/** The address if only this machine can connect to it; then all clients have it, or a proxy speaks for them. */
function loopbackAddress(host: string): string | undefined {
  return host === '::1' || /^127(?:\.\d+){3}$/.test(host) ? host : undefined;
}

/**
 * How long a write waits for a lock inside SQLite, in milliseconds. The wait blocks the thread, so it is
 * short; `change()` tries again later.
 */
const busyTimeoutMs = 20;

/** Longest time of a background task, in milliseconds: the index of a million entries on a slow disk. */
const backgroundTimeoutMs = 600_000;

interface OpenedParts {
  readonly parts: Parts;
  readonly pool: MeasuredPool;
  /** For further pools that render. */
  readonly workerFile: string;
  readonly settings: WorkerSettings;
  readonly signingKey: SigningKey;
  readonly cluster: Cluster | undefined;
  readonly databaseFiles: { readonly content: string; readonly activity: string };
  close(): Promise<void>;
}

/** Opens the parts that all features share; `close` closes them. */
async function openParts(
  config: Config,
  log: Log,
  sharing: AnswerSharing,
  {
    clock = Date.now,
    workerFile = sourceFiles().worker,
    sandboxFile = sourceFiles().sandbox,
    sandbox: sandboxOptions = {},
    outgoing: outgoingOptions = {},
  }: AppOptions,
): Promise<OpenedParts> {
  ensureDirectory(config.dataDir);
  const lock = lockDataDir(config.dataDir);
  if (await finishRestore(config.dataDir)) log.info({}, 'an interrupted restore was finished');
  const build = readBuildInfo();
  const stores = await openStores(config, { log, busyTimeoutMs, program: build.version });
  const { activity, statistics, cluster } = stores;
  const { reader, writer, file } = stores.content;
  const cacheDir = join(config.dataDir, 'cache');
  const cacheFolder = watchCacheFolder(cacheDir, log);
  const snapshots: ContentSnapshots = new Snapshots(file);
  const secrets = new Secrets(config.dataDir, config.encryptionKey);
  const outgoing = new Outgoing({ rules: config.outgoing, ...outgoingOptions });
  const version = new ContentVersion(await newestChange(reader));
  const keyFile = join(config.dataDir, 'media.key');
  if (cluster !== undefined) shareSigningKey(keyFile, config.encryptionKey);
  const signingKey = openSigningKey(keyFile);
  const settings: WorkerSettings = {
    databaseFile: file,
    cacheDir,
    scheme: ownScheme(config),
    signingKeyFile: keyFile,
  };
  const pool = new MeasuredPool({ filename: workerFile, settings, workers: config.workers, log });
  const background = new RenderPool({
    filename: workerFile,
    settings,
    jobName: 'a background task',
    workers: 1,
    idleMs: 30_000,
    timeoutMs: backgroundTimeoutMs,
    log,
  });
  const sandbox = new Sandbox({ filename: sandboxFile, log, ...sandboxOptions });
  const texts = new TextAnalysis(
    {
      template: ({ name, source }) => pool.request({ kind: 'check-template', name, source }),
      code: ({ language, name, source }) => pool.request({ kind: 'check-code', language, name, source }),
      function: (source) => sandbox.check(source),
    },
    log,
  );
  const inspectText = (text: CheckedText) => texts.reportForSave(text);
  const largeCommits = new LargeCommits({
    writer,
    file,
    checkpoint: () => background.run({ kind: 'checkpoint' }),
    log,
  });
  const changes = new Changes({ writer, version, clock, log, inspectText, largeCommits, order: cluster });
  changes.onCommit((commits) => {
    const isNamed = commits.some(({ records }) => records.some((entry) => entry.isNamedInTemplates === true));
    if (isNamed) texts.forget();
  });
  return {
    parts: {
      config,
      build,
      clock,
      monotonic: () => performance.now(),
      log,
      reader,
      snapshots,
      activity,
      statistics,
      changes,
      version,
      answers: new AnswerMemo(version),
      pool,
      background,
      texts,
      sandbox,
      outgoing,
      ownRequests: new OwnRequests(clock, config.encryptionKey),
      secrets,
      sharing,
      views: new Views(),
      nodeState: cluster === undefined ? undefined : () => cluster.state(),
      leads: cluster === undefined ? () => true : () => cluster.leads(),
    },
    pool,
    workerFile,
    settings,
    signingKey,
    databaseFiles: { content: file, activity: activity.file },
    cluster,
    async close() {
      const lastCheckpoint = largeCommits.close();
      await Promise.all([pool.close(), background.close(), sandbox.close()]);
      await lastCheckpoint;
      await outgoing.close();
      cacheFolder.close();
      await snapshots.close();
      await stores.close();
      lock.release();
    },
  };
}

/** What the groups of endpoints are about, by the first segment of their paths. */
function tagsOf(features: readonly Feature[]): ReadonlyMap<string, string> {
  const ofKinds = features
    .flatMap(({ kinds = [] }) => kinds)
    .filter(({ about }) => about !== '')
    .map(({ path, about }) => [path.slice(1), about] as const);
  const ofFeatures = features.flatMap(({ about = {} }) => Object.entries(about));
  return new Map([
    ['api', 'The API itself.'],
    ['openapi', 'The description of the API.'],
    ...ofKinds,
    ...ofFeatures,
  ]);
}

/** The endpoints of a feature: those that its kinds declare, and its own. */
function routesOf({ kinds = [], routes = [] }: Feature, deps: KindRoutesDeps): Route[] {
  const own = typeof routes === 'function' ? routes(deps) : routes;
  return [...kinds.flatMap((kind) => kindRoutes(kind, deps)), ...own];
}
