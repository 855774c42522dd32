import Type, { type Static } from 'typebox';

const id = Type.Integer({ description: 'ID of the object.' });
const name = Type.String({ description: 'Name of the object.' });
const Named = Type.Object({ id, name });

export const Unused = Type.Object(
  {
    files: Type.Array(
      Type.Object({
        id,
        name,
        url: Type.String({ description: 'Address of the file.' }),
        size: Type.Integer({ description: 'Size in bytes.' }),
      }),
      { description: 'Files that nothing refers to.' },
    ),
    assets: Type.Array(Named, { description: 'CSS and JS that nothing refers to.' }),
    snippets: Type.Array(Named, { description: 'Snippets that no template names.' }),
    bytes: Type.Integer({ description: 'Size of these files together, without their variants.' }),
    trash_bytes: Type.Integer({ description: 'Size of the trash in bytes.' }),
    trash_dropped: Type.Union(
      [
        Type.Object({
          count: Type.Integer({ description: 'Number of objects.' }),
          bytes: Type.Integer({ description: 'Their size in bytes.' }),
          at: Type.Integer({ description: 'When the last of them went, in Unix seconds.' }),
        }),
        Type.Null(),
      ],
      { description: 'What left the trash before its time in the last 30 days, because it was full.' },
    ),
  },
  { title: 'Unused', description: 'Objects that nothing refers to.' },
);
export type Unused = Static<typeof Unused>;

const Ids = (what: string) =>
  Type.Optional(
    Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 10_000, description: `IDs of ${what}.` }),
  );

export const CleanupRequest = Type.Object(
  { files: Ids('files'), assets: Ids('assets'), snippets: Ids('snippets') },
  {
    title: 'CleanupRequest',
    description: 'Objects to delete.',
    examples: [{ files: [3, 4], snippets: [7] }],
  },
);
export type CleanupRequest = Static<typeof CleanupRequest>;

const count = (what: string) => Type.Integer({ description: `Deleted ${what}.` });

export const CleanupResult = Type.Object(
  {
    deleted: Type.Object(
      { files: count('files'), assets: count('assets'), snippets: count('snippets') },
      { description: 'How many objects were deleted.' },
    ),
    bytes: Type.Integer({ description: 'Size of the deleted files, without their variants.' }),
    skipped: Type.Array(Type.Object({ kind: Type.String({ description: 'Kind of the object.' }), id }), {
      description: 'Objects that are in use.',
    }),
  },
  { title: 'CleanupResult', description: 'What was deleted, and what not.' },
);
export type CleanupResult = Static<typeof CleanupResult>;
