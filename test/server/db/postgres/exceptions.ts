/** A query that only SQLite understands. */
interface Exception {
  /** Words of its SQL, as Kysely writes it for PostgreSQL, that no other query has. */
  readonly sql: string;
  /** Why it has to be like this, and what will take its place. */
  readonly reason: string;
}

/** The queries of stores that PostgreSQL cannot prepare. */
export const exceptions: readonly Exception[] = [
  {
    sql: 'json_extract(data,',
    reason: 'The values of entries are JSON; PostgreSQL reads them with `data::jsonb -> $1`.',
  },
];
