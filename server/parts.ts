/** Opens what all features share: databases, pools, sandbox, outgoing requests. */
import { join } from 'node:path';
import type { SigningKey } from '../runtime/files/signature.ts';
import type { WorkerSettings } from '../runtime/tasks/context.ts';
import { JsonResponseCache } from './api/json-response-cache.ts';
import { type Clock, monotonicClock, roughClock } from './base/clock.ts';
import type { Log } from './base/log.ts';
import { Secrets } from './base/secrets.ts';
import { newestChange } from './changes/change-log.ts';
import { Changes } from './changes/changes.ts';
import { ContentVersion } from './changes/content-version.ts';
import { EventOutbox } from './changes/event-outbox.ts';
import { type CheckedText, TextAnalysis } from './changes/text-analysis.ts';
import type { Cluster } from './cluster/index.ts';
import { openStores } from './cluster/stores.ts';
import { sources as sourceFiles } from './config/build/program-files.ts';
import { readBuildInfo } from './config/build-info.ts';
import { type Config, ownScheme } from './config/config.ts';
import { ReferenceBacklog } from './content/kinds/reference-backlog.ts';
import { KindRegistry } from './content/kinds/registry.ts';
import { Contributions } from './contributions.ts';
import { LargeCommits } from './db/large-commits.ts';
import { type DataDirLock, lockDataDir } from './db/lock.ts';
import { ensureDirectory } from './db/open.ts';
import { Snapshots } from './db/snapshots.ts';
import type { ContentSnapshots } from './db/tables.ts';
import type { SharedServices } from './feature.ts';
import { finishRestore } from './features/backup/finish.ts';
import { openSigningKey, shareSigningKey } from './features/media/signing-key.ts';
import { Outgoing, type OutgoingOptions } from './http/outgoing/client.ts';
import { OwnRequests } from './http/outgoing/own-requests.ts';
import type { SharedResponses } from './http/shared-responses.ts';
import { ViewEventBuffer } from './http/view-event-buffer.ts';
import { watchCacheFolder } from './processes/cache-folder.ts';
import { openProcesses, type Processes, type ProcessesOptions } from './processes/index.ts';
import type { AskOutside } from './processes/pool.ts';

/**
 * How long a write waits for a lock inside SQLite, in milliseconds. The wait blocks the thread, so it is
 * short; `change()` tries again later.
 */
const busyTimeoutMs = 20;

/** What tests replace, and where the built code of other processes lies. */
export interface PartsOptions {
  readonly clock?: Clock;
  /** Path of the render worker's code. Default: its source. */
  readonly workerFile?: string;
  /** Path of the code of image processes. Default: its source. */
  readonly imageWorkerFile?: string;
  /** Path of the code of a sandbox process. Default: its source. */
  readonly sandboxFile?: string;
  /** How names are resolved and addresses are reached, for tests without the internet. */
  readonly outgoing?: Pick<OutgoingOptions, 'resolve' | 'route'>;
  /** Limits of the sandbox, for tests. */
  readonly sandbox?: ProcessesOptions['sandbox'];
}

export interface OpenedParts {
  readonly parts: SharedServices;
  readonly processes: Processes;
  readonly contributions: Contributions;
  readonly signingKey: SigningKey;
  readonly cluster: Cluster | undefined;
  readonly databaseFiles: { readonly content: string; readonly activity: string };
  close(): Promise<void>;
}

/** Opens the parts that all features share; `close` closes them. */
export async function openParts(
  config: Config,
  log: Log,
  sharing: SharedResponses | undefined,
  options: PartsOptions,
): Promise<OpenedParts> {
  const clock = options.clock ?? Date.now;
  const lock = await openDataDir(config, log);
  const build = readBuildInfo();
  const stores = await openStores(config, { log, busyTimeoutMs, program: build.version });
  const { content, activity, statistics, cluster } = stores;
  const { reader, file } = content;
  const keyFile = join(config.dataDir, 'media.key');
  if (cluster !== undefined) shareSigningKey(keyFile, config.encryptionKey);
  const signingKey = openSigningKey(keyFile);

  const cacheFolder = watchCacheFolder(cacheDirOf(config), log);
  const contributions = new Contributions();
  const askOutside: AskOutside = (request) => contributions.answerOutside(request);
  const workerFiles = { databaseFile: file, signingKeyFile: keyFile };
  const processes = openPools(config, log, options, workerFiles, askOutside);
  const { render: pool, background, sandbox, threads } = processes;
  const snapshots: ContentSnapshots = new Snapshots(file);
  const outgoing = new Outgoing({ rules: config.outgoing, ...options.outgoing });
  const version = new ContentVersion(await newestChange(reader));
  const { changes, texts, largeCommits } = createChanges({ stores, processes, version, clock, log });
  const registry = new KindRegistry();
  const secrets = new Secrets(config.dataDir, config.encryptionKey);
  const isLeader = cluster && (() => cluster.leads());
  return {
    parts: {
      ...{ config, build, clock, log, reader, snapshots, activity, statistics, changes, registry, version },
      ...{ pool, background, sandbox, texts, outgoing, sharing },
      roughClock: options.clock ?? roughClock(),
      monotonic: monotonicClock,
      backlog: new ReferenceBacklog({ reader, changes, log, registry }),
      answers: new JsonResponseCache(version),
      streamInThread: (work) => threads.stream(work),
      ownRequests: new OwnRequests(clock, secrets),
      secrets,
      outbox: new EventOutbox({ reader, changes, log, isLeader }),
      views: new ViewEventBuffer(),
      visits: contributions.visits,
      figures: () => contributions.figures(),
      nodeState: cluster === undefined ? undefined : () => cluster.state(),
      findOtherNode: async () => cluster?.findOtherNode(),
      isLeader,
      claim: cluster === undefined ? undefined : (name) => cluster.claims.claim(name),
    },
    ...{ processes, contributions, signingKey, cluster },
    databaseFiles: { content: file, activity: activity.file },
    async close() {
      const lastCheckpoint = largeCommits.close();
      await processes.close();
      await lastCheckpoint;
      await outgoing.close();
      cacheFolder.close();
      await snapshots.close();
      await stores.close();
      lock.release();
    },
  };
}

/** Makes the data directory this server's own, and finishes a restore that was interrupted. */
async function openDataDir({ dataDir }: Config, log: Log): Promise<DataDirLock> {
  ensureDirectory(dataDir);
  const lock = lockDataDir(dataDir);
  if (await finishRestore(dataDir)) log.info({}, 'an interrupted restore was finished');
  return lock;
}

const cacheDirOf = ({ dataDir }: Config): string => join(dataDir, 'cache');

/** The processes for renders, images, indexes and the code of users. */
function openPools(
  config: Config,
  log: Log,
  { workerFile, imageWorkerFile, sandboxFile, sandbox }: PartsOptions,
  files: Pick<WorkerSettings, 'databaseFile' | 'signingKeyFile'>,
  askOutside: AskOutside,
): Processes {
  const sources = sourceFiles();
  return openProcesses({
    files: {
      worker: workerFile ?? sources.worker,
      images: imageWorkerFile ?? sources.images,
      sandbox: sandboxFile ?? sources.sandbox,
    },
    settings: { ...files, cacheDir: cacheDirOf(config), scheme: ownScheme(config) },
    workers: config.workers,
    workerKind: config.render === 'threads' ? 'thread' : 'process',
    ...{ sandbox, log, askOutside },
  });
}

interface ChangesDeps {
  readonly stores: Awaited<ReturnType<typeof openStores>>;
  readonly processes: Processes;
  readonly version: ContentVersion;
  readonly clock: Clock;
  readonly log: Log;
}

/** The one way to write content, with the checks of texts before a save and the checkpoints after one. */
function createChanges({ stores, processes, version, clock, log }: ChangesDeps) {
  const { writer, file } = stores.content;
  const { render, background, sandbox } = processes;
  const texts = new TextAnalysis(
    {
      template: ({ name, source, isBlockType = false }) =>
        render.request({ kind: 'check-template', name, source, isBlockType }),
      code: ({ language, name, source }) => render.request({ kind: 'check-code', language, name, source }),
      function: (source) => sandbox.check(source),
      markup: (values) => render.request({ kind: 'check-markup', values }),
    },
    log,
  );
  const largeCommits = new LargeCommits({
    writer,
    file,
    checkpoint: () => background.run({ kind: 'checkpoint' }),
    log,
  });
  const inspectText = (text: CheckedText) => texts.reportForSave(text);
  const order = stores.cluster;
  const changes = new Changes({ writer, version, clock, log, inspectText, largeCommits, order });
  changes.followers.add(
    // What is known of a text depends on the objects that it names.
    { of: ['asset', 'collection', 'snippet', 'source'], refresh: () => texts.forget() },
  );
  return { changes, texts, largeCommits };
}
