import Type, { type Static } from 'typebox';
import type { BlockTree as Tree } from '../../../runtime/blocks/tree.ts';
import { BlockTree, SentTree } from '../../content/blocks/model.ts';
import { baseUpdatedAt, fieldLimits, serverFields } from '../../content/common-fields.ts';

const text = (description: string, maxLength: number) => Type.String({ maxLength, description });
const fields = {
  name: text('Name for people.', fieldLimits.title),
  folder: text('Folder in the list of the admin.', fieldLimits.name),
  description: text('What the block is for.', fieldLimits.text),
};

export const GlobalBlock = Type.Object(
  {
    id: serverFields.id,
    ...fields,
    created_at: serverFields.created_at,
    updated_at: serverFields.updated_at,
    blocks: BlockTree,
  },
  {
    title: 'GlobalBlock',
    description: 'A block tree that other trees insert by its ID.',
    examples: [
      {
        id: 3,
        name: 'Opening hours',
        folder: '',
        description: '',
        created_at: 1767225600,
        updated_at: 1767225600,
        blocks: [{ id: 'b1', type: 'text', params: { text: 'Open daily' } }],
      },
    ],
  },
);
/** Type boundary: `server/blocks` checks trees, whose blocks have another type each. */
export type GlobalBlock = Omit<Static<typeof GlobalBlock>, 'blocks'> & { readonly blocks: Tree };

const optional = {
  folder: Type.Optional(fields.folder),
  description: Type.Optional(fields.description),
  blocks: Type.Optional(SentTree),
};

export const GlobalBlockCreate = Type.Object(
  { name: fields.name, ...optional },
  {
    title: 'GlobalBlockCreate',
    description: 'A new global block.',
    examples: [{ name: 'Opening hours', blocks: [] }],
  },
);

export const GlobalBlockUpdate = Type.Object(
  { ...baseUpdatedAt, name: Type.Optional(fields.name), ...optional },
  {
    title: 'GlobalBlockUpdate',
    description: 'The fields of a global block that change.',
    examples: [{ description: 'In the footer', base_updated_at: 1767225600 }],
  },
);
export type GlobalBlockUpdate = Static<typeof GlobalBlockUpdate>;
