import Type, { type Static } from 'typebox';
import { fieldLimits } from '../../content/common-fields.ts';
import { discardedSeconds } from '../../content/kinds/usage.ts';
import { Review } from '../reviews/model.ts';

/** The contract, "Limits". Discarded change sets stay readable for this many seconds. */
export const changeSetLimits = {
  items: 1_000,
  bytes: 10 * 2 ** 20,
  pushBytes: 200 * 2 ** 20,
  unfinished: 10_000,
  discardedSeconds,
  /** Age at which a set of purpose `dev` is discarded. */
  devSeconds: 86_400,
} as const;

const states = ['open', 'scheduled', 'published', 'failed', 'discarded'] as const;
const purposes = ['copy', 'release', 'push', 'dev', 'agent', 'revert'] as const;

const name = Type.String({ maxLength: fieldLimits.name, description: 'What people call it.' });
const note = Type.String({ maxLength: fieldLimits.text, description: 'What it is for.' });
const time = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });
const kindName = Type.String({ description: 'Kind of the object, such as `page`.' });
const objectId = Type.Integer({ description: 'ID of the object.' });

export const PublishFailure = Type.Object(
  {
    code: Type.String({ description: 'Code of the error.' }),
    error: Type.String({ description: 'Text of the error.' }),
    params: Type.Record(Type.String(), Type.Unknown(), { description: 'Details of the error.' }),
  },
  { title: 'ChangeSetFailure', description: 'Why a change set could not be published.' },
);
export type PublishFailure = Static<typeof PublishFailure>;

export const ChangeSet = Type.Object(
  {
    id: Type.Integer({ description: 'ID of the change set.' }),
    name,
    note,
    purpose: Type.Enum(purposes, { description: '`release` for one that people have made.' }),
    state: Type.Enum(states, { description: 'What has become of it.' }),
    author: Type.String({ description: 'Who made it.' }),
    created_at: Type.Integer({ description: 'When it was made, in Unix seconds.' }),
    updated_at: Type.Integer({ description: 'When it was changed last; grows with every change.' }),
    publish_at: time('When it will be published, in Unix seconds.'),
    published_at: time('When it was published, in Unix seconds.'),
    reverted_by: time('The change set that has reverted it.'),
    review: Type.Union([Review, Type.Null()], { description: 'What was said about it last.' }),
    failure: Type.Union([PublishFailure, Type.Null()], { description: 'Why it could not be published.' }),
    items: Type.Integer({ description: 'Number of its objects.' }),
    objects: Type.Optional(
      Type.Array(Type.Object({ kind: kindName, id: objectId }), {
        description: 'Its objects, at most 1,000; only in lists with `objects`.',
      }),
    ),
    conflicts: Type.Integer({ description: 'Number of fields that were changed here and live.' }),
  },
  { title: 'ChangeSet', description: 'Changes that are prepared and not made yet.' },
);
export type ChangeSet = Static<typeof ChangeSet>;

export const itemOps = ['create', 'delete', 'move', 'update'] as const;

export const ChangeSetItem = Type.Object(
  {
    kind: kindName,
    id: objectId,
    op: Type.Enum(itemOps, { description: 'What is done with the object; `fields` says the rest.' }),
    title: Type.String({ description: 'What people call the object.' }),
    fields: Type.Array(Type.String(), { description: 'Names of the changed fields.' }),
    base_updated_at: time('The `updated_at` of the object when it came in; null for a new one.'),
    authors: Type.Array(Type.String(), { description: 'Who has changed it here.' }),
    updated_at: Type.Integer({ description: 'When it was changed here last.' }),
    conflicts: Type.Array(Type.String(), { description: 'Names of the fields that were changed live too.' }),
  },
  { title: 'ChangeSetItem', description: 'What a change set does with one object.' },
);
export type ChangeSetItem = Static<typeof ChangeSetItem>;

/** The purposes that a client may name. */
const namedPurposes = ['release', 'push', 'dev'] as const;

export const ChangeSetCreate = Type.Object(
  {
    name,
    note: Type.Optional(note),
    purpose: Type.Optional(
      Type.Enum(namedPurposes, { description: '`push` and `dev` for programs; default `release`.' }),
    ),
  },
  {
    title: 'ChangeSetCreate',
    description: 'A new release.',
    examples: [{ name: 'Summer', note: 'Opening hours' }],
  },
);
export type ChangeSetCreate = Static<typeof ChangeSetCreate>;

export const ChangeSetUpdate = Type.Object(
  {
    name: Type.Optional(name),
    note: Type.Optional(note),
    publish_at: Type.Optional(
      Type.Union([Type.Integer(), Type.Null()], {
        description: 'A time in the future schedules the change set, null takes that back.',
      }),
    ),
  },
  { title: 'ChangeSetUpdate', description: 'The fields of a change set that change.' },
);
export type ChangeSetUpdate = Static<typeof ChangeSetUpdate>;

export const ChangeSetQuery = Type.Object({
  state: Type.Optional(Type.Enum(states, { description: 'Only those in this state.' })),
  purpose: Type.Optional(Type.Enum(purposes, { description: 'Only those of this purpose.' })),
  kind: Type.Optional(Type.String({ description: 'With `id`: only those that have this object.' })),
  id: Type.Optional(Type.Integer({ description: 'ID of the object.' })),
  objects: Type.Optional(Type.Boolean({ description: 'Name the objects of each.' })),
});
export type ChangeSetQuery = Static<typeof ChangeSetQuery>;

export const ItemParams = Type.Object({
  id: Type.Integer({ minimum: 1, description: 'ID of the change set.' }),
  kind: Type.String({ description: 'Kind of the object.' }),
  objectId: Type.Integer({ minimum: 1, description: 'ID of the object.' }),
});

/** The object as its GET, with what stands beside it. */
export const PreparedObject = Type.Object(
  {
    item: Type.Union([ChangeSetItem, Type.Null()], {
      description: 'What the change set does with the object; null if nothing is left to do.',
    }),
    warnings: Type.Array(Type.Unknown(), { description: 'Findings about texts of the object.' }),
  },
  {
    title: 'PreparedObject',
    description: 'The fields of the object as its GET shows them, with the change set.',
    additionalProperties: true,
  },
);

/** The object with its working copy. */
export const CopiedObject = Type.Object(
  {
    ...PreparedObject.properties,
    change_set: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The change set that is the working copy; null if it had no change left and is gone.',
    }),
    updated_at: Type.Optional(
      Type.Integer({ description: 'Grows with every save of the copy; `seen` of the next save.' }),
    ),
  },
  {
    title: 'CopiedObject',
    description: 'The fields of the object as its GET shows them, with its working copy.',
    additionalProperties: true,
  },
);

export const CopyUpdate = Type.Object(
  {
    seen: Type.Optional(
      Type.Integer({
        description:
          'The `updated_at` of the copy that the client has read. What others have saved since is merged; without it the save overwrites.',
      }),
    ),
  },
  {
    title: 'CopyUpdate',
    description: 'The fields, as in the body of the PUT of the object, and `seen`.',
    additionalProperties: true,
  },
);

const anyValue = (description: string) => Type.Unknown({ description });

export const FieldConflict = Type.Object(
  {
    kind: kindName,
    id: objectId,
    field: Type.String({ description: 'Name of the field; `deleted` or `changed` for the whole object.' }),
    base: anyValue('The value when the object came in.'),
    mine: anyValue('The value in the change set.'),
    live: anyValue('The value now.'),
  },
  { title: 'FieldConflict', description: 'A field that was changed here and live.' },
);
export type FieldConflict = Static<typeof FieldConflict>;

export const ItemDiff = Type.Object(
  {
    kind: kindName,
    id: objectId,
    op: Type.Enum(itemOps, { description: 'What is done with the object.' }),
    fields: Type.Array(
      Type.Object(
        {
          field: Type.String({ description: 'Name of the field.' }),
          base: anyValue('The value when the object came in.'),
          mine: anyValue('The value in the change set.'),
          live: anyValue('The value now.'),
          conflict: Type.Boolean({ description: 'Whether it was changed live too, to something else.' }),
        },
        { title: 'ChangedField', description: 'A field that the change set changes.' },
      ),
      { description: 'The changed fields.' },
    ),
  },
  { title: 'ItemDiff', description: 'What a change set changes of one object.' },
);
export type ItemDiff = Static<typeof ItemDiff>;

export const PublishRequest = Type.Object(
  {
    resolve: Type.Optional(
      Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
        description: 'By object, such as `page:5`, and field: `"mine"`, `"live"` or `{"value": …}`.',
      }),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: 'Only tells what would happen.' })),
  },
  {
    title: 'PublishRequest',
    description: 'How to publish.',
    examples: [{ resolve: { 'page:5': { title: 'mine' } } }],
  },
);
export type PublishRequest = Static<typeof PublishRequest>;

const Fault = Type.Object(
  { ...PublishFailure.properties },
  { title: 'PublishFault', description: 'What keeps an object from being published.' },
);

export const RenumberedItem = Type.Object(
  {
    kind: kindName,
    from: Type.Integer({ description: 'ID in the change set.' }),
    to: Type.Integer({ description: 'ID now.' }),
  },
  { title: 'RenumberedItem', description: 'An object with another ID.' },
);
export type RenumberedItem = Static<typeof RenumberedItem>;

export const Publication = Type.Object(
  {
    ...Type.Partial(ChangeSet).properties,
    conflicts: Type.Union([Type.Integer(), Type.Array(FieldConflict)], {
      description: 'After a dry run the conflicts themselves, else their number.',
    }),
    faults: Type.Optional(Type.Array(Fault, { description: 'Of a dry run: what would be refused.' })),
    results: Type.Optional(
      Type.Array(Type.Unknown(), { description: 'One for each object, as in the answer of a batch.' }),
    ),
    warnings: Type.Optional(
      Type.Array(Type.Unknown(), {
        description: 'Entries that break rules of their fields; absent if none do.',
      }),
    ),
    renumbered: Type.Optional(
      Type.Array(RenumberedItem, {
        description:
          'Created objects with another ID than they were promised, because an import has taken it.',
      }),
    ),
  },
  { title: 'Publication', description: 'A published change set, or the outcome of a dry run.' },
);
