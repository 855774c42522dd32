import Type, { type Static } from 'typebox';
import { PublishFailure } from '../model.ts';

export const RevertRequest = Type.Object(
  { dry_run: Type.Optional(Type.Boolean({ description: 'Only tells what would happen.' })) },
  { title: 'RevertRequest', description: 'How to revert a change set.', examples: [{ dry_run: true }] },
);
export type RevertRequest = Static<typeof RevertRequest>;

export const RevertQuestion = Type.Object(
  {
    batch: Type.Optional(Type.String({ maxLength: 200, description: 'The `idempotency_key` of a batch.' })),
    import: Type.Optional(Type.String({ maxLength: 200, description: 'ID of the job of an import.' })),
    push: Type.Optional(Type.Integer({ description: 'ID of the change set of a push.' })),
    author: Type.Optional(
      Type.String({ maxLength: 300, description: 'A name as in the audit; `from` says since when.' }),
    ),
    from: Type.Optional(Type.Integer({ description: 'Start of the work of the author, in Unix seconds.' })),
    to: Type.Optional(
      Type.Integer({ description: 'End of the work of the author, in Unix seconds. Default: now.' }),
    ),
    dry_run: RevertRequest.properties.dry_run,
  },
  {
    title: 'RevertQuestion',
    description: 'What to revert: one of `batch`, `import`, `push` and `author`.',
    examples: [{ batch: 'launch-1' }, { author: 'anna', from: 1767258000, to: 1767286800 }],
  },
);
export type RevertQuestion = Static<typeof RevertQuestion>;

const kind = Type.String({ description: 'Kind of the object.' });
const id = Type.Integer({ description: 'ID of the object.' });

export const SkippedField = Type.Object(
  {
    ...{ kind, id },
    field: Type.String({
      description:
        'Name of the field. `deleted`: the object is gone, or cannot come back. `created`: it is in use. `unknown`: its states are not kept.',
    }),
    mine: Type.Unknown({ description: 'The value that was to be reverted.' }),
    live: Type.Unknown({ description: 'The value now.' }),
    by: Type.Optional(
      Type.Array(
        Type.Object(
          { kind, id, title: Type.String({ description: 'Its title or name.' }) },
          { title: 'RevertUser', description: 'An object that uses another one.' },
        ),
        { description: 'What uses a created object by now.' },
      ),
    ),
  },
  { title: 'SkippedField', description: 'What is left as it is.' },
);
export type SkippedField = Static<typeof SkippedField>;

export const Reverted = Type.Object(
  {
    change_set: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The change set that did it; null after a dry run.',
    }),
    skipped: Type.Array(SkippedField, {
      description: 'What is left as it is, because it was changed since.',
    }),
    results: Type.Array(Type.Unknown(), {
      description: 'One for each changed object, as in the answer of a batch.',
    }),
    renumbered: Type.Array(
      Type.Object(
        {
          kind,
          from: Type.Integer({ description: 'ID before the deletion.' }),
          to: Type.Integer({ description: 'ID now.' }),
        },
        { title: 'RevertRenumbered', description: 'An object with another ID.' },
      ),
      { description: 'Objects that came back, whose ID was taken by an import.' },
    ),
    faults: Type.Optional(
      Type.Array(PublishFailure, { description: 'Of a dry run: what would be refused.' }),
    ),
  },
  { title: 'Reverted', description: 'What was put back.' },
);
export type Reverted = Static<typeof Reverted>;
