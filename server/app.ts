import { ApiDispatcher } from './api/api.ts';
import { apiIndexRoute } from './api/api-index.ts';
import { ApiResponseCache } from './api/api-response-cache.ts';
import { OpenEventStreams } from './api/open-event-streams.ts';
import { openApiRoute } from './api/openapi/openapi.ts';
import type { Route } from './api/route.ts';
import type { Log } from './base/log.ts';
import { startTimer } from './base/timers.ts';
import type { Follower } from './changes/followers.ts';
import { sources as sourceFiles } from './config/build/program-files.ts';
import type { BuildInfo } from './config/build-info.ts';
import { type Config, ownScheme } from './config/config.ts';
import { kindRoutes } from './content/kinds/routes.ts';
import { limitReads } from './db/readable-rows.ts';
import type { Feature, SharedServices } from './feature.ts';
import { isSetupRequired } from './features/auth/users/users.ts';
import { type DemoResult, installDemo } from './features/demo/index.ts';
import { findOneNodeRule } from './features/storage/one-node.ts';
import { createFeatures, type FeatureOptions } from './features.ts';
import { HttpServer } from './http/exchange/index.ts';
import { openTransport } from './http/exchange/open-transport.ts';
import { guarded } from './http/guard.ts';
import { counted } from './http/traffic.ts';
import { openParts, type PartsOptions } from './parts.ts';

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

export interface AppOptions extends PartsOptions, FeatureOptions {
  /** Path of the code of a thread of the front. Default: its source. */
  readonly threadFile?: string;
  /** Called when the server must end, because it can never serve again. */
  onFatal?(error: Error): void;
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
  const opened = await openParts(config, log, transport.sharing, options);
  const { parts, cluster } = opened;
  const { reader, changes, outbox, build, version } = parts;
  const features = await createFeatures(opened, options);
  const { all, auth, gate, traffic, security, rateLimit, remoteMode } = features;

  const routes = auth.recordEvents(all.flatMap((feature) => routesOf(feature, parts)));
  routes.push(apiIndexRoute(features.version));
  routes.push(openApiRoute(routes, { version: features.version, tags: tagsOf(all) }));
  const cache = new ApiResponseCache(version);
  const streams = new OpenEventStreams({
    isStillValid: (actor) => auth.auth.isStillValid(actor),
    serves: () => cluster?.serves() ?? true,
    later: options.later ?? startTimer,
  });
  changes.followers.add(
    ...all.flatMap(({ followers = [] }) => followers),
    outbox.follower(),
    ...streamFollowers(streams),
  );
  changes.commitCheck = all.find(({ commitCheck }) => commitCheck !== undefined)?.commitCheck;
  changes.outlets.add(...all.flatMap(({ outlets = [] }) => outlets));
  const api = new ApiDispatcher({
    routes,
    publicObjects: all.flatMap(({ publicObjects = [] }) => publicObjects),
    build: build.build,
    log,
    clock: parts.clock,
    rateLimit,
    auth: auth.auth,
    cache,
    streams,
    overlaidReads: all.find(({ overlaidReads }) => overlaidReads !== undefined)?.overlaidReads,
    limitReads: ({ grants }) => grants && limitReads(grants),
    forward: remoteMode.forward.bind(remoteMode),
  });
  const handlers = {
    api: api.answer.bind(api),
    ready: api.ready.bind(api),
    delivery: remoteMode.delivery(features.publicHandler, auth.auth),
  };
  const refuseApi = api.refuse.bind(api);
  const front = new HttpServer({
    ...counted(traffic, cluster === undefined ? handlers : guarded(cluster, refuseApi, handlers)),
    refuseApi,
    security,
    transport,
    scheme: ownScheme(config),
    views: parts.views,
    localPeer,
    bodySeconds: config.front.bodySeconds,
    log,
    spillPath: () => features.staging.reserve(),
  });
  await cluster?.start({
    version,
    followers: changes.followers,
    findOneNodeRule,
    onLease: (ms) => parts.sharing?.setLease(ms),
    onOutdated: (error) => options.onFatal?.(error),
  });
  await outbox.start();
  parts.backlog.start();
  return {
    build,
    routes,
    listen: () => front.listen(config.address.host, config.address.port),
    installDemo: (origin) => installDemo(parts, { ...features.demoTools, gate, ...auth }, origin),
    setupToken: async () => (gate.isOpen && (await isSetupRequired(reader)) ? auth.setupToken : undefined),
    async close() {
      await front.close(graceMs);
      parts.views.flush();
      parts.backlog.close();
      await changes.idle();
      for (const feature of all) await feature.close?.();
      await outbox.close();
      await opened.close();
    },
  };
}

/** Ends event streams with the credential of their caller. After all others, so that these know what has ended. */
function streamFollowers(streams: OpenEventStreams): readonly Follower[] {
  return [
    { of: ['tokens'], refresh: () => streams.endInvalid('token') },
    { of: ['sessions', 'users', 'settings'], refresh: () => streams.endInvalid('session') },
  ];
}

/** The address if only this machine can connect to it; then all clients have it, or a proxy speaks for them. */
function loopbackAddress(host: string): string | undefined {
  return host === '::1' || /^127(?:\.\d+){3}$/.test(host) ? host : undefined;
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
function routesOf({ kinds = [], routes = [] }: Feature, parts: SharedServices): Route[] {
  return [...kinds.flatMap((kind) => kindRoutes(kind, parts)), ...routes];
}
