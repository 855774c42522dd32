import Type, { type Static } from 'typebox';

/** Changes in one answer. A commit is never cut, so an answer may have more. */
const limits = { most: 1000, usual: 200 } as const;
export const defaultLimit = limits.usual;

export const ChangesQuery = Type.Object({
  since: Type.Optional(
    Type.String({
      pattern: '^(?:now|0|[1-9]\\d{0,14})$',
      description:
        'The `version` of the answer before; 0 for the beginning, `now` to begin with what comes. An event stream that is connected again goes on after `Last-Event-ID` in place of it.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.most,
      description: `About how many changes to answer with; default ${limits.usual}.`,
    }),
  ),
});
export type ChangesQuery = Static<typeof ChangesQuery>;

/** What can be done to an object. */
export const changeActions = ['created', 'updated', 'deleted', 'moved', 'imported'] as const;

/** The change that broke a page. */
export const BreakingChange = Type.Object(
  {
    version: Type.Integer({ description: 'Version of the content after the change.' }),
    kind: Type.String({ description: 'Kind of the changed object.' }),
    id: Type.Integer({ description: 'ID of the changed object.' }),
    title: Type.String({ description: 'Title or name of the changed object; empty if it has none.' }),
    by: Type.String({ description: 'Who made the change, as in the version history.' }),
  },
  {
    title: 'BreakingChange',
    description: 'The change that broke a page.',
  },
);

export const FedChange = Type.Object(
  {
    version: Type.Integer({ description: 'Version of the content after the change.' }),
    at: Type.Integer({ description: 'When it was made, in Unix seconds.' }),
    actor: Type.String({ description: 'Who made it, as in the version history.' }),
    kind: Type.String({ description: 'Kind of the object.' }),
    action: Type.Enum([...changeActions, 'published', 'failed'], {
      description:
        'What was done. Of a page `failed`: visitors cannot see it any more; of a change set: it could not be published.',
    }),
    id: Type.Integer({ description: 'ID of the object.' }),
    slug: Type.Optional(Type.String({ description: 'Slug of the object.' })),
    name: Type.Optional(Type.String({ description: 'Name or title of the object.' })),
    collection: Type.Optional(Type.String({ description: 'Slug of the collection of an entry.' })),
    event: Type.Optional(
      Type.Literal('page.failed', {
        description: 'Only of a page with the action `failed`, as all that follows.',
      }),
    ),
    site_id: Type.Optional(Type.Integer({ description: 'Website of the page.' })),
    path: Type.Optional(Type.String({ description: 'Path of the page on its website.' })),
    error: Type.Optional(Type.String({ description: 'Why the page cannot be rendered.' })),
    change: Type.Optional(
      Type.Union([BreakingChange, Type.Null()], {
        description: 'The change that broke the page; null if that is not known.',
      }),
    ),
  },
  { title: 'Change', description: 'What was done to one object.' },
);
export type FedChange = Static<typeof FedChange>;

export const ChangeFeed = Type.Object(
  {
    version: Type.Integer({ description: 'Send it as `since` to learn what comes after this answer.' }),
    changes: Type.Array(FedChange, { description: 'Oldest first.' }),
    more: Type.Boolean({ description: 'Whether there are further changes already.' }),
  },
  { title: 'ChangeFeed', description: 'What has changed since a version of the content.' },
);
export type ChangeFeed = Static<typeof ChangeFeed>;
