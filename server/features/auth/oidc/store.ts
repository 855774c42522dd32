import { contentTable } from '../../../db/table.ts';

declare module '../../../db/tables.ts' {
  interface ContentTables {
    oidc_accounts: { iss: string; sub: string; user_id: number };
  }
}

const accounts = contentTable('oidc_accounts');

/** The user of an account, by its provider and its ID there. */
export const findAccountUser = accounts.findCellBy(['iss', 'sub'], 'user_id');

export const insertAccount = accounts.insert('iss', 'sub', 'user_id');
