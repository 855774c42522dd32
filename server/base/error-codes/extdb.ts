import type { ErrorTable } from './entry.ts';

/** External databases. */
export const extdbErrors = {
  'extdb.failed': {
    status: 502,
    text: (p: { connection: string; error: string }) => `the database "${p.connection}" failed: ${p.error}`,
  },
  'extdb.unsupported': {
    status: 400,
    text: (p: { service: string; reason: string }) => `${p.service} cannot do this: ${p.reason}`,
  },
  'extdb.connectionUnknown': {
    status: 404,
    text: (p: { connection: string; suggestion?: string }) =>
      `there is no database connection "${p.connection}"${hint(p.suggestion)}`,
  },
  'extdb.tableUnknown': {
    status: 404,
    text: (p: { connection: string; table: string; suggestion?: string }) =>
      `the database "${p.connection}" has no table "${p.table}"${hint(p.suggestion)}`,
  },
  'extdb.columnUnknown': {
    status: 400,
    text: (p: { table: string; column: string; suggestion?: string }) =>
      `the table "${p.table}" has no column "${p.column}"${hint(p.suggestion)}`,
  },
  'extdb.recordMissing': {
    status: 404,
    text: (p: { table: string; record: string }) => `the table "${p.table}" has no record ${p.record}`,
  },
} satisfies ErrorTable;

function hint(suggestion: string | undefined): string {
  return suggestion === undefined ? '' : `, did you mean "${suggestion}"?`;
}
