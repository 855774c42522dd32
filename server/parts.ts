/** Opens what all features share: databases, pools, sandbox, outgoing requests. */
import { join } from 'node:path';
import type { SigningKey } from '../runtime/files/signature.ts';
import type { WorkerSettings } from '../runtime/tasks/context.ts';
import { JsonResponseCache } from './api/json-response-cache.ts';
import { type Clock, roughClock } from './base/clock.ts';
import type { Log } from './base/log.ts';
import { Secrets } from './base/secrets.ts';
import { newestChange } from './changes/change-log.ts';
import { Changes } from './changes/changes.ts';
import { ContentVersion } from './changes/content-version.ts';
import { type CheckedText, TextAnalysis } from './changes/text-analysis.ts';
import type { Cluster } from './cluster/index.ts';
import { openStores } from './cluster/stores.ts';
import { sources as sourceFiles } from './config/build/program-files.ts';
import { readBuildInfo } from './config/build-info.ts';
import { type Config, ownScheme } from './config/config.ts';
import { ReferenceBacklog } from './content/kinds/reference-backlog.ts';
import { KindRegistry } from './content/kinds/registry.ts';
import { LargeCommits } from './db/large-commits.ts';
import { lockDataDir } from './db/lock.ts';
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
  readonly signingKey: SigningKey;
  readonly cluster: Cluster | undefined;
  readonly databaseFiles: { readonly content: string; readonly activity: string };
  close(): Promise<void>;
}

/** Opens the parts that all features share; `close` closes them. */
export async function openParts(
  config: Config,
  log: Log,
  sharing: SharedResponses,
  {
    clock: ownClock,
    workerFile = sourceFiles().worker,
    imageWorkerFile = sourceFiles().images,
    sandboxFile = sourceFiles().sandbox,
    sandbox: sandboxOptions,
    outgoing: outgoingOptions = {},
  }: PartsOptions,
): Promise<OpenedParts> {
  const clock = ownClock ?? Date.now;
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
  const processes = openProcesses({
    files: { worker: workerFile, images: imageWorkerFile, sandbox: sandboxFile },
    settings,
    workers: config.workers,
    sandbox: sandboxOptions,
    log,
  });
  const { render: pool, background, sandbox, threads } = processes;
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
  const registry = new KindRegistry();
  changes.followers.add(
    // What is known of a text depends on the objects that it names.
    { of: ['asset', 'collection', 'snippet', 'source'], refresh: () => texts.forget() },
  );
  return {
    parts: {
      config,
      build,
      clock,
      roughClock: ownClock ?? roughClock(),
      monotonic: () => performance.now(),
      log,
      reader,
      snapshots,
      activity,
      statistics,
      changes,
      registry,
      backlog: new ReferenceBacklog({ reader, changes, log, registry }),
      version,
      answers: new JsonResponseCache(version),
      pool,
      background,
      texts,
      sandbox,
      streamInThread: (work) => threads.stream(work),
      outgoing,
      ownRequests: new OwnRequests(clock, config.encryptionKey),
      secrets,
      sharing,
      views: new ViewEventBuffer(),
      nodeState: cluster === undefined ? undefined : () => cluster.state(),
      isLeader: cluster === undefined ? () => true : () => cluster.leads(),
    },
    processes,
    signingKey,
    databaseFiles: { content: file, activity: activity.file },
    cluster,
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
