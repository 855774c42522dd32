import Type, { type Static } from 'typebox';
import { Warning } from '../../base/warnings.ts';
import { fieldLimits } from '../common-fields.ts';

const params = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Values of the parameters by their names.',
});

/** A block in answers: of a type, or a reference to a global block. */
const Block = Type.Object(
  {
    id: Type.String({ description: 'Unique in its tree.' }),
    type: Type.Optional(Type.String({ description: 'Name of its block type. Not on references.' })),
    params: Type.Optional(params),
    slots: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.Unknown()), {
        description: 'Lists of blocks by slot; only slots with content.',
      }),
    ),
    global: Type.Optional(Type.Integer({ description: 'ID of the global block that stands here.' })),
    overrides: Type.Optional(
      Type.Record(Type.String(), params, {
        description: 'On references: values by the ID of a block inside of the global block.',
      }),
    ),
  },
  { title: 'Block', description: 'A block of a tree.' },
);

export const BlockTree = Type.Array(Block, { description: 'Block tree of the page builder.' });

/** A tree that a client sends. The rules of trees check it, which have errors of their own. */
export const SentTree = Type.Unknown({
  description: 'Block tree: a list of blocks. It replaces the whole tree.',
});

/** An object that uses a global block or a block type. */
export const BlockUsage = Type.Object(
  {
    kind: Type.Enum(['page', 'item', 'global'], { description: 'Kind of the object.' }),
    id: Type.Integer({ description: 'ID of the object.' }),
    title: Type.String({ description: 'Title or name of the object.' }),
    path: Type.String({
      description: 'Path of the page; of an entry that of its detail page; empty if there is none.',
    }),
    collection: Type.Optional(Type.String({ description: 'Entries only: slug of the collection.' })),
  },
  { title: 'BlockUsage', description: 'An object whose block tree uses something.' },
);
export type BlockUsage = Static<typeof BlockUsage>;

const id = Type.Optional(Type.Integer({ minimum: 1, description: 'ID of the object, if it exists.' }));

export const TreeToValidate = Type.Object(
  {
    blocks: SentTree,
    place: Type.Union(
      [
        Type.Object(
          { kind: Type.Literal('page', { description: 'The tree of a page.' }), id },
          { title: 'PagePlace', description: 'A page.' },
        ),
        Type.Object(
          {
            kind: Type.Literal('item', { description: 'A field of an entry.' }),
            collection: Type.Union(
              [Type.Integer({ minimum: 1 }), Type.String({ maxLength: fieldLimits.name })],
              {
                description: 'ID or slug of the collection.',
              },
            ),
            field: Type.String({ maxLength: fieldLimits.name, description: 'Name of the field.' }),
          },
          { title: 'ItemPlace', description: 'A field of an entry.' },
        ),
        Type.Object(
          { kind: Type.Literal('global', { description: 'The tree of a global block.' }), id },
          { title: 'GlobalPlace', description: 'A global block.' },
        ),
      ],
      { description: 'Where the tree would be stored.' },
    ),
  },
  {
    title: 'TreeToValidate',
    description: 'A block tree and its place.',
    examples: [{ blocks: [], place: { kind: 'page', id: 1 } }],
  },
);
export type TreeToValidate = Static<typeof TreeToValidate>;

export const ValidatedTree = Type.Object(
  {
    blocks: BlockTree,
    warnings: Type.Array(Warning, { description: 'What the tree loses when it is stored.' }),
  },
  { title: 'ValidatedTree', description: 'A block tree as it would be stored.' },
);
