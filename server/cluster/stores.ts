import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { type Databases, ensureDirectory, openActivity, openDatabases } from '../db/open.ts';
import type { Log } from '../log.ts';
import { StartupError } from '../startup-error.ts';
import { Cluster, replicaFolder } from './index.ts';

export interface Stores {
  readonly databases: Databases;
  readonly cluster: Cluster | undefined;
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
    return { databases: openDatabases(dataDir, busyTimeoutMs), cluster: undefined };
  }
  if (existsSync(join(dataDir, 'content.db')))
    throw new StartupError(
      `the data directory ${dataDir} has content of its own: copy it with -copy-to, and start with another directory`,
    );
  if (encryptionKey === undefined)
    throw new StartupError('-database needs IC_ENCRYPTION_KEY, the same on all nodes');
  ensureDirectory(dataDir);
  const cluster = await Cluster.open(config, database, options);
  const activity = openActivity(dataDir, busyTimeoutMs);
  const { file, reader, writer } = cluster.content;
  return {
    cluster,
    databases: {
      content: { file, reader, writer },
      activity,
      close() {
        activity.reader.close();
        activity.writer.close();
      },
    },
  };
}
