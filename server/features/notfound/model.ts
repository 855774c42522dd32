import Type, { type Static } from 'typebox';

/** Core, "404 log entry". */
export const NotFoundEntry = Type.Object(
  {
    path: Type.String({ description: 'The dead address, in the normal form of paths.' }),
    hits: Type.Integer({ description: 'Number of visits.' }),
    first_at: Type.Integer({ description: 'First visit in Unix seconds.' }),
    last_at: Type.Integer({ description: 'Last visit in Unix seconds.' }),
    referer: Type.String({
      description: 'Address of the page that most recently led here; empty if there was none.',
    }),
    ignored: Type.Boolean({ description: 'Ignored entries keep counting but are left out of the export.' }),
  },
  { title: 'NotFoundEntry', description: 'A dead address that visitors asked for.' },
);
export type NotFoundEntry = Static<typeof NotFoundEntry>;

const rootId = Type.Integer({ description: 'ID of the website.' });

export const NotFoundListQuery = Type.Object({ root_id: rootId });

/** Without `path` the request is about the whole log. */
export const NotFoundQuery = Type.Object({
  root_id: rootId,
  path: Type.Optional(Type.String({ description: 'One address; default: the whole log.' })),
});
export type NotFoundQuery = Static<typeof NotFoundQuery>;

export const NotFoundUpdate = Type.Object(
  { ignored: Type.Boolean({ description: 'True to ignore, false to open again.' }) },
  { title: 'NotFoundUpdate', description: 'The new state of entries.', examples: [{ ignored: true }] },
);
export type NotFoundUpdate = Static<typeof NotFoundUpdate>;
