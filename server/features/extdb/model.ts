import Type, { type Static } from 'typebox';
import { operators } from './conditions.ts';

/** Data, Automation and Operations, "Limits" and the `extdb` node. */
export const extdbLimits = {
  name: 64,
  url: 2000,
  token: 10_000,
  connections: 100,
  /** Most rows of one page, and of all pages together. */
  rows: 1000,
  allRows: 10_000,
  /** How long lists and details of tables are kept, in milliseconds. */
  schemaMs: 60_000,
  /** Longest time to read a page of rows for the table browser, in milliseconds. */
  rowsMs: 60_000,
} as const;

const name = Type.String({
  description:
    'Name: letters, digits, spaces, `.`, `_`, `-`; at most 64 characters, unique without regard to case.',
});

/** Data, Automation and Operations, "External database connection". */
export const ExtdbConnection = Type.Object(
  {
    name,
    url: Type.String({ description: 'Address of the service; a trailing `/api/v1` is removed.' }),
    has_token: Type.Boolean({ description: 'Whether a token is stored. It is never shown.' }),
  },
  { title: 'ExtdbConnection', description: 'A connection to an external database service.' },
);
export type ExtdbConnection = Static<typeof ExtdbConnection>;

const ExtdbConnectionUpdate = Type.Object(
  {
    name,
    url: Type.String({ maxLength: extdbLimits.url, description: 'Address of the service: http or https.' }),
    token: Type.Optional(
      Type.Union([Type.String({ maxLength: extdbLimits.token }), Type.Null()], {
        description:
          'Token of the service, stored encrypted. Missing or null: the stored one stays; empty: none.',
      }),
    ),
    old_name: Type.Optional(Type.String({ description: 'Name of the stored connection that is renamed.' })),
  },
  { title: 'ExtdbConnectionUpdate', description: 'A connection in the list to store.' },
);
export type ExtdbConnectionUpdate = Static<typeof ExtdbConnectionUpdate>;

export const ExtdbList = Type.Array(ExtdbConnectionUpdate, {
  maxItems: extdbLimits.connections,
  description: 'All connections; those that are not in the list are deleted.',
  examples: [[{ name: 'Shop', url: 'https://db.example.com', token: 'a token of the service' }]],
});

/** Data, Automation and Operations, "External database connection", table list item. */
export const ExtdbTable = Type.Object(
  {
    id: Type.String({ description: 'ID of the table in the service.' }),
    name: Type.String({ description: 'Name of the table.' }),
    schema: Type.String({ description: 'Schema of the table; empty where the service has none.' }),
    source: Type.String({ description: 'Name of the data source; empty where the service has only one.' }),
    source_id: Type.String({ description: 'ID of the data source.' }),
    ref: Type.String({
      description: 'What nodes call the table: its name, or `source/name` if that is ambiguous.',
    }),
    public_read: Type.Boolean({ description: 'Whether the service shows the table without a token.' }),
  },
  { title: 'ExtdbTable', description: 'A table of an external database.' },
);
export type ExtdbTable = Static<typeof ExtdbTable>;

export const ExtdbTableDetail = Type.Object(
  {
    table: ExtdbTable,
    columns: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name of the column.' }),
        ui_type: Type.String({ description: 'Type of the column, as the service calls it.' }),
        field_kind: Type.String({
          description:
            '`value`: stored in the row; `relation`: leads to other rows; `computed`: cannot be written.',
        }),
        primary_key: Type.Boolean({ description: 'Whether it is part of the primary key.' }),
        nullable: Type.Boolean({ description: 'Whether it may be empty.' }),
      }),
      { description: 'The columns.' },
    ),
    views: Type.Array(
      Type.Object({
        id: Type.String({ description: 'ID of the view.' }),
        name: Type.String({ description: 'Name of the view.' }),
        type: Type.String({ description: 'Kind of the view, such as `grid`.' }),
        default: Type.Boolean({ description: 'Whether it is the default view of the table.' }),
      }),
      { description: 'The saved views.' },
    ),
  },
  { title: 'ExtdbTableDetail', description: 'A table with its columns and views.' },
);
export type ExtdbTableDetail = Static<typeof ExtdbTableDetail>;
export type ExtdbColumn = ExtdbTableDetail['columns'][number];

export const ExtdbTest = Type.Object(
  {
    ok: Type.Literal(true, { description: 'The service answers.' }),
    version: Type.String({ description: 'Service and version.' }),
    tables: Type.Integer({ description: 'Number of readable tables.' }),
  },
  { title: 'ExtdbTest', description: 'What the test of a connection found.' },
);

/** What the table browser asks for: a part of the arguments of the `extdb` node. */
export const ExtdbRowsQuery = Type.Object(
  {
    rules: Type.Optional(
      Type.Array(
        Type.Object({
          col: Type.String({ description: 'Name of the column.' }),
          op: Type.Enum([...operators], { description: 'How the value of the row is compared.' }),
          val: Type.Optional(
            Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
              description: 'What it is compared with; values of `in` and `not_in` are separated by commas.',
            }),
          ),
        }),
        { description: 'Conditions on columns. Without any, all rows.' },
      ),
    ),
    match: Type.Optional(
      Type.Enum(['and', 'or'], { description: 'Whether all rules must hold, or one. Default: all.' }),
    ),
    sort: Type.Optional(
      Type.Array(
        Type.Object({
          col: Type.String({ description: 'Name of the column.' }),
          desc: Type.Optional(Type.Boolean({ description: 'From the largest to the smallest.' })),
        }),
        { description: 'The order of the rows.' },
      ),
    ),
    view: Type.Optional(Type.String({ description: 'ID of a saved view, used as a filter.' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: extdbLimits.rows, description: 'Rows of a page. Default: 100.' }),
    ),
    page: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Number of the page, from 1.' }),
    ),
  },
  {
    title: 'ExtdbRowsQuery',
    description: 'Which rows of a table to read.',
    examples: [{ rules: [{ col: 'country', op: 'eq', val: 'DE' }], sort: [{ col: 'id', desc: true }] }],
  },
);

export const ExtdbRows = Type.Object(
  {
    records: Type.Array(
      Type.Record(Type.String(), Type.Unknown(), { description: 'A row: values by the name of the column.' }),
      { description: 'The rows of the page.' },
    ),
    total: Type.Integer({ description: 'Number of rows on all pages.' }),
    limit: Type.Integer({ description: 'Most rows of a page; a service may have a limit of its own.' }),
    offset: Type.Integer({ description: 'Number of rows before the first of the page.' }),
    page: Type.Integer({ description: 'Number of the page, from 1.' }),
    pages: Type.Integer({ description: 'Number of pages.' }),
    has_more: Type.Boolean({ description: 'Whether rows follow after the page.' }),
  },
  { title: 'ExtdbRows', description: 'A page of the rows of a table.' },
);
export type ExtdbRows = Static<typeof ExtdbRows>;
