import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../base/log.ts';
import { StartupError } from '../base/startup-error.ts';
import type { Config } from '../config/config.ts';
import type { ActivityStore, StatisticsStore } from '../db/activity.ts';
import { Connection } from '../db/connection.ts';
import { type Database, ensureDirectory, openDatabases } from '../db/open.ts';
import type { ActivityTables, ContentDb } from '../db/tables.ts';
import { Cluster, replicaFolder } from './index.ts';

export interface Stores {
  readonly content: Database<ContentDb>;
  readonly activity: ActivityStore & { readonly file: string };
  readonly statistics: StatisticsStore;
  readonly cluster: Cluster | undefined;
  close(): Promise<void>;
}

interface StoreOptions {
  readonly log: Log;
  /** How long a write waits inside SQLite, in milliseconds. */
  readonly busyTimeoutMs: number;
  /** Version of the program. */
  readonly program: string;
}

/**
 * Opens the databases of an instance on one machine, or this node's part of one on several.
 *
 * @throws StartupError
 */
export async function openStores(
  config: Pick<Config, 'dataDir' | 'database' | 'encryptionKey' | 'leaseSeconds'>,
  options: StoreOptions,
): Promise<Stores> {
  const { dataDir, database, encryptionKey } = config;
  const { busyTimeoutMs } = options;
  if (database === undefined) {
    if (existsSync(join(dataDir, replicaFolder)))
      throw new StartupError(
        `the data directory ${dataDir} belongs to a node of a shared database: start it with -database`,
      );
    return ownStores(dataDir, busyTimeoutMs);
  }
  if (existsSync(join(dataDir, 'content.db')))
    throw new StartupError(
      `the data directory ${dataDir} has content of its own: copy it with -copy-to, and start with another directory`,
    );
  if (encryptionKey === undefined)
    throw new StartupError('-database needs IC_ENCRYPTION_KEY, the same on all nodes');
  ensureDirectory(dataDir);
  const cluster = await Cluster.open(config, { url: database, encryptionKey }, options);
  const { content, activity, statistics } = cluster;
  const reader = new Connection<ActivityTables>(statistics.file, { readonly: true, busyTimeoutMs });
  return {
    cluster,
    content,
    activity,
    statistics: { ...statistics, reader },
    async close() {
      reader.close();
      await cluster.close();
    },
  };
}

function ownStores(dataDir: string, busyTimeoutMs: number): Stores {
  const { content, activity, close } = openDatabases(dataDir, busyTimeoutMs);
  const { file, reader, writer } = activity;
  return {
    cluster: undefined,
    content,
    activity: { file, reader, write: (work) => work(writer) },
    statistics: { file, reader, shared: undefined },
    close: async () => close(),
  };
}
