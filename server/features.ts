import { RateLimit } from './api/rate-limit.ts';
import { VersionNotice } from './api/version-notice.ts';
import type { StartTimer } from './base/timers.ts';
import { sources as sourceFiles } from './config/build/program-files.ts';
import { collectAddresses, deliveryFeature, publicHandler } from './delivery/index.ts';
import type { Feature, SharedServices } from './feature.ts';
import { adminFeature } from './features/admin/index.ts';
import { assetsFeature } from './features/assets/index.ts';
import { auditFeature } from './features/audit/index.ts';
import { AdminGate } from './features/auth/admin-gate.ts';
import { type AuthFeature, authFeature } from './features/auth/index.ts';
import { batchFeature } from './features/batch/index.ts';
import { bundleFeature } from './features/bundle/index.ts';
import { collectOperations } from './features/change-sets/collect.ts';
import { changeSetsFeature } from './features/change-sets/index.ts';
import { createReviewedSets } from './features/change-sets/service.ts';
import { cleanupFeature } from './features/cleanup/index.ts';
import { fieldsChangeFeature } from './features/collections/fields-change/index.ts';
import { collectionsFeature } from './features/collections/index.ts';
import { connectionsFeature } from './features/connections/index.ts';
import type { RemoteMode } from './features/connections/remote-mode.ts';
import { findRemote } from './features/connections/service.ts';
import type { WebsiteTools } from './features/demo/empty-instance.ts';
import { demoFeature } from './features/demo/index.ts';
import { exportFeature } from './features/export/index.ts';
import { extdbFeature } from './features/extdb/index.ts';
import { failingPagesFeature } from './features/failing-pages/index.ts';
import { feedFeature } from './features/feed/index.ts';
import { blocksFeature, globalBlocksFeature } from './features/global-blocks/index.ts';
import { importsFeature } from './features/imports/index.ts';
import { mailFeature } from './features/mail/index.ts';
import { markdownFeature } from './features/markdown/index.ts';
import { mediaFeature } from './features/media/index.ts';
import { findImportedFile, hasFile } from './features/media/service.ts';
import { metricsFeature } from './features/metrics/index.ts';
import { notFoundFeature } from './features/notfound/index.ts';
import { pagesFeature } from './features/pages/index.ts';
import { penAddresses, pensFeature } from './features/pens/index.ts';
import { presenceFeature } from './features/presence/index.ts';
import { redirectsFeature } from './features/redirects/index.ts';
import { reviewsFeature } from './features/reviews/index.ts';
import { revisionsFeature } from './features/revisions/index.ts';
import { rolesFeature } from './features/roles/index.ts';
import { schemaFeature } from './features/schema/index.ts';
import { searchFeature } from './features/search/index.ts';
import { securityFeature } from './features/security/index.ts';
import { snippetsFeature } from './features/snippets/index.ts';
import { sourcesFeature } from './features/sources/index.ts';
import { statisticsFeature } from './features/statistics/index.ts';
import { storageFeature } from './features/storage/index.ts';
import { StorageService } from './features/storage/service.ts';
import { systemFeature } from './features/system/index.ts';
import { trashFeature } from './features/trash/index.ts';
import { usageFeature } from './features/usage/index.ts';
import { webhooksFeature } from './features/webhooks/index.ts';
import { definitionsFeature, flowNodesFeature } from './features/workflows/custom-nodes/index.ts';
import { type WorkflowOptions, workflowsFeature } from './features/workflows/index.ts';
import { workflowSecretsFeature } from './features/workflows/secrets/index.ts';
import type { PublicHandler } from './http/public-exchange.ts';
import type { SecurityHeaders } from './http/security-headers.ts';
import { Traffic } from './http/traffic.ts';
import type { OpenedParts } from './parts.ts';
import type { Staging } from './storage/staging.ts';

/** What tests replace, and where the built code of other processes lies. */
export interface FeatureOptions {
  /** Longest time in milliseconds that a change waits for `?check=pages`. Default 2,000. */
  readonly pageCheckMs?: number;
  /** Runs a task later. Default: the timers of the system. */
  readonly later?: StartTimer;
  /** Path of the code of a process that reads what other websites send. Default: its source. */
  readonly parserFile?: string;
  /** Path of the code of the thread that counts visits. Default: its source. */
  readonly statisticsFile?: string;
  /** Parts that workflows use in place of those of the server, for tests. */
  readonly workflowParts?: Partial<WorkflowOptions>;
  /** Additional features, for tests. */
  readonly moreFeatures?: (parts: SharedServices) => readonly Feature[];
}

/** All features, and what the front and the start of the server ask of some of them. */
export interface Features {
  readonly all: readonly Feature[];
  readonly gate: AdminGate;
  readonly auth: AuthFeature;
  readonly security: SecurityHeaders;
  readonly version: VersionNotice;
  readonly remoteMode: RemoteMode;
  readonly staging: Staging;
  readonly rateLimit: RateLimit;
  readonly traffic: Traffic;
  /** Answers the addresses of websites. */
  readonly publicHandler: PublicHandler;
  readonly demoTools: WebsiteTools;
}

/**
 * Creates all features; what a feature needs stands above it. Those whose kinds are content come first, in the order of
 * a bundle, because others serve all kinds.
 *
 * @throws StartupError when a setting or a stored state cannot be used
 */
export async function createFeatures(opened: OpenedParts, options: FeatureOptions): Promise<Features> {
  const { parts, processes, contributions, signingKey, databaseFiles, cluster } = opened;
  const { config, reader, monotonic, registry } = parts;
  const { later, workflowParts } = options;
  const traffic = new Traffic();
  parts.sharing?.countWith((statusClass, times) => traffic.count('public', statusClass, times));
  const rateLimit = new RateLimit({ perMinute: config.rateLimit, monotonic });
  const gate = await AdminGate.open(parts);
  const storage = await StorageService.open(parts);
  const { staging } = storage;
  const security = await securityFeature(parts);
  const version = new VersionNotice(parts.build.version, security.isVersionHidden);
  const roles = rolesFeature(parts);
  const auth = authFeature(parts, gate, version, {
    findRemote: (id) => findRemote(reader, id),
    roles: roles.resolver,
    mail: () => mail.mail,
  });
  const notFound = notFoundFeature(parts);
  const redirects = redirectsFeature(parts, notFound.notFound);
  const media = await mediaFeature(parts, {
    storage: storage.media,
    staging,
    auth: auth.auth,
    signingKey,
    findOpener: (opener) => pages.findOpener(opener),
    images: processes.images,
    later,
  });
  const pages = pagesFeature(parts, auth.auth, media.findMedia);
  const sources = sourcesFeature(parts);
  const collections = collectionsFeature(parts, {
    sourceJson: sources.json,
    targets: { hasFile, findFile: findImportedFile },
  });
  const secrets = await workflowSecretsFeature(parts);
  const mail = await mailFeature(parts);
  const extdb = await extdbFeature(parts);
  const schema = schemaFeature(parts);
  const webhooks = await webhooksFeature(parts, schema.schema, later);
  const nodes = await definitionsFeature(parts);
  const workflows = await workflowsFeature(parts, {
    code: parts.sandbox,
    databases: extdb.databases,
    mail: mail.mail,
    secrets: secrets.secrets,
    definitions: nodes.definitions,
    ...workflowParts,
    entries: collections.entries,
    later,
  });
  const flowNodes = flowNodesFeature(parts, {
    definitions: nodes.definitions,
    usedBy: workflows.usersOf,
    databases: workflows.callDatabase,
  });
  const content: readonly Feature[] = [
    // Workflows are compiled with the definitions of their nodes.
    nodes,
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
    flowNodes,
    cleanupFeature(parts),
    trashFeature(parts),
    markdownFeature(parts),
    pensFeature(parts),
    ...(options.moreFeatures?.(parts) ?? []),
  ];
  registry.fill(content.flatMap(({ kinds = [] }) => kinds));
  const imports = importsFeature(parts, {
    staging,
    media,
    pages: pages.kind,
    parserFile: options.parserFile ?? sourceFiles().parser,
    later,
  });
  const { attachedTables = [] } = imports;
  const bundle = bundleFeature({ ...parts, attachedTables, contents: media.contents, staging }, gate);
  const connections = connectionsFeature({ ...parts, bundles: bundle.bundles, staging });
  const site = exportFeature(parts, {
    media: media.publicMedia,
    staging,
    security: security.headers,
    pool: processes.exports,
  });
  const statistics = await statisticsFeature(parts, {
    auth: auth.auth,
    staging,
    threadFile: options.statisticsFile ?? sourceFiles().statistics,
  });
  const changeSets = await changeSetsFeature(
    {
      ...{ ...parts, staging },
      findRights: (scheduler) => auth.auth.findRights(scheduler),
      findOpener: (opener) => auth.auth.findOpener(opener),
    },
    later,
  );
  const delivery = deliveryFeature(parts, {
    findPreviewScope: pages.findPreviewScope,
    findSetPreview: changeSets.findSetPreview,
    hasAdminAt: (host) => gate.isOpenOn(host),
  });
  const presence = await presenceFeature(parts, later);
  const demoTools = { media, collections: collections.collectionKinds, workflows: workflows.kind };
  const all: readonly Feature[] = [
    roles,
    auth,
    systemFeature(parts, gate, security),
    security,
    adminFeature(gate, penAddresses({ ...parts, ...auth, rateLimit, security: security.headers })),
    demoFeature(parts, demoTools),
    storageFeature(storage),
    ...content,
    revisionsFeature(parts),
    usageFeature(parts),
    searchFeature(parts),
    fieldsChangeFeature(parts),
    batchFeature(parts, (change, ...batch) => collectOperations(change, parts, ...batch)),
    changeSets,
    reviewsFeature({ ...parts, sets: createReviewedSets(registry.byName) }),
    bundle,
    connections,
    site,
    imports,
    presence,
    feedFeature(parts, presence.presence, later),
    auditFeature({ ...parts, events: auth.events }),
    schema,
    secrets,
    mail,
    extdb,
    webhooks,
    notFound,
    await failingPagesFeature(
      { ...parts, staging, maxWaitMs: options.pageCheckMs ?? 2_000 },
      processes.exports,
    ),
    statistics,
    delivery,
    metricsFeature({
      ...parts,
      auth: auth.auth,
      traffic,
      files: databaseFiles,
      nodeMetrics: cluster === undefined ? [] : [cluster.appliedTimes.metric],
    }),
  ];
  contributions.fill(all);
  return {
    all,
    gate,
    auth,
    security: security.headers,
    version,
    remoteMode: connections.remoteMode,
    staging,
    rateLimit,
    traffic,
    publicHandler: publicHandler(delivery.pages, collectAddresses(all), delivery.previews),
    demoTools,
  };
}
