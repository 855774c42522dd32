import type { ActivityDb } from './tables.ts';

/** Data of visits: read at once, written in the order of all nodes. */
export interface ActivityStore {
  readonly reader: ActivityDb;
  /** Runs a write, which other writes of this node may share a transaction with. */
  write<T>(work: (db: ActivityDb) => Promise<T>): Promise<T>;
}

/** Visitor statistics. The thread that counts is the one that writes them. */
export interface StatisticsStore {
  readonly reader: ActivityDb;
  readonly file: string;
  /** How the thread reaches those of other nodes; undefined for an instance on one machine. */
  readonly shared: SharedStatisticsSettings | undefined;
}

/** How a thread reaches what it shares; plain data that crosses threads. */
export interface SharedStatisticsSettings {
  readonly url: string;
  /** Folder of the replica. */
  readonly folder: string;
  readonly instance: string;
  readonly encryptionKey: string;
}
