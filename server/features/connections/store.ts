import type { Columns } from '../../../runtime/content/columns.ts';
import { objectTable } from '../../db/object-table.ts';
import type { ObjectColumns } from '../../db/tables.ts';

const connectionColumns = {
  id: 'integer',
  name: 'text',
  url: 'text',
  token: 'text',
  token_prefix: 'text',
  last_sync_at: 'integer?',
  last_sync: 'text',
  sync_hash: 'text',
  created_at: 'integer',
} as const satisfies Columns;

declare module '../../db/tables.ts' {
  interface ContentTables {
    connections: ObjectColumns<typeof connectionColumns>;
  }
}

/** A connection as it is stored. */
export interface StoredConnection {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  /** Encrypted. */
  readonly token: string;
  readonly token_prefix: string;
  readonly last_sync_at: number | null;
  readonly last_sync: string;
  /** Hash that both sides had after the last push or pull; empty before the first. */
  readonly sync_hash: string;
  readonly created_at: number;
}

export const connections = objectTable<StoredConnection>()('connections', connectionColumns);
