import Type, { type Static } from 'typebox';
import { Warning } from '../../base/warnings.ts';

/** Data, Automation and Operations, "Limits". Keys live this many seconds. */
export const batchLimits = { ops: 500, key: 200, ref: 64, keySeconds: 30 * 24 * 3600 } as const;

export const batchOps = ['create', 'update', 'delete', 'move', 'link', 'unlink', 'replace'] as const;

export const BatchOperation = Type.Object(
  {
    op: Type.Enum(batchOps, {
      description:
        'What is done. `move` takes what `/pages/{id}/move` takes. `replace` takes `file_id`, a file whose bytes another one gets.',
    }),
    kind: Type.String({ description: 'Kind of the object, such as `page` or `snippet`.' }),
    id: Type.Optional(
      Type.Union([Type.Integer(), Type.String()], {
        description:
          'The object of an update or a delete: its ID, or `@` and the `ref` of an earlier create.',
      }),
    ),
    collection: Type.Optional(
      Type.Union([Type.Integer(), Type.String()], { description: 'Of an entry: slug or ID.' }),
    ),
    data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'The fields, as in the body of the single endpoint. `@` and a `ref` may stand where a field holds an ID.',
      }),
    ),
    published: Type.Optional(Type.Boolean({ description: 'State of a page or an entry.' })),
    purge: Type.Optional(
      Type.Boolean({ description: 'Of a delete: for good, instead of moving the object to the trash.' }),
    ),
    ref: Type.Optional(
      Type.String({ description: 'Name of a created object for later operations, at most 64 characters.' }),
    ),
    base_updated_at: Type.Optional(
      Type.Integer({
        description: 'The `updated_at` that the client loaded; compared before anything runs.',
      }),
    ),
  },
  { title: 'BatchOperation', description: 'One change of a batch.' },
);

/** Describes the body; `form.ts` checks it, because its refusals have codes of their own. */
export const BatchRequest = Type.Object(
  {
    idempotency_key: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description:
          'Repeating the request with the same key runs it only once. 1 to 200 characters; null = none.',
      }),
    ),
    on_behalf_of: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'The person that the token writes for; wins over the header. Null = that of the header.',
      }),
    ),
    ops: Type.Array(BatchOperation, { description: 'At most 500 operations, run in this order.' }),
  },
  {
    title: 'BatchRequest',
    description: 'Changes that are made together or not at all.',
    examples: [
      {
        idempotency_key: 'launch-1',
        ops: [
          { op: 'create', kind: 'snippet', data: { name: 'card', content: '{{ title }}' } },
          { op: 'create', kind: 'page', ref: 'news', data: { parent_id: 1, slug: 'news', title: 'News' } },
          { op: 'create', kind: 'page', data: { parent_id: '@news', slug: 'may', title: 'May' } },
        ],
      },
    ],
  },
);

const BatchResult = Type.Object(
  {
    index: Type.Integer({ description: 'Position of the operation, counted from 0.' }),
    op: Type.Enum(batchOps, { description: 'What was done.' }),
    kind: Type.String({ description: 'Kind of the object.' }),
    id: Type.Integer({ description: 'ID of the object.' }),
    ref: Type.Optional(Type.String({ description: 'The `ref` of the operation.' })),
    collection: Type.Optional(Type.String({ description: 'Slug of the collection of an entry.' })),
    updated_at: Type.Optional(Type.Integer({ description: 'The new `updated_at` of the object.' })),
    deleted: Type.Optional(Type.Boolean({ description: 'True after a delete.' })),
    warnings: Type.Optional(Type.Array(Warning, { description: 'Findings about texts of the object.' })),
  },
  { title: 'BatchResult', description: 'What one operation has done.' },
);
export type BatchResult = Static<typeof BatchResult>;

const answerFields = {
  idempotency_key: Type.String({ description: 'The key of the request; empty if it has none.' }),
  results: Type.Array(BatchResult, { description: 'One result for each operation, in order.' }),
  applied_at: Type.Integer({ description: 'When the batch was applied, in Unix seconds.' }),
};

export const BatchAnswer = Type.Object(answerFields, {
  title: 'BatchAnswer',
  description: 'What a batch has done.',
});
export type BatchAnswer = Static<typeof BatchAnswer>;

export const StoredBatch = Type.Object(
  {
    applied: Type.Boolean({ description: 'Always true: only batches that succeeded are stored.' }),
    ...answerFields,
  },
  { title: 'StoredBatch', description: 'A batch that was applied with an idempotency key.' },
);
export type StoredBatch = Static<typeof StoredBatch>;
