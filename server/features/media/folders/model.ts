import Type, { type Static } from 'typebox';
import { fieldLimits, serverFields } from '../../../content/common-fields.ts';

const fields = {
  name: Type.String({ maxLength: fieldLimits.name, description: 'Name for people; not unique.' }),
  parent_id: Type.Integer({ minimum: 0, description: 'Folder it is in; 0 = at the top.' }),
};

const { id, created_at } = serverFields;
export const Folder = Type.Object(
  { id, name: fields.name, parent_id: fields.parent_id, created_at },
  {
    title: 'Folder',
    description: 'A folder of files. Folders order files for people; addresses do not name them.',
    examples: [{ id: 2, name: 'Exhibitions', parent_id: 0, created_at: 1767225600 }],
  },
);
export type Folder = Static<typeof Folder>;

export const FolderCreate = Type.Object(
  { name: fields.name, parent_id: Type.Optional(fields.parent_id) },
  { title: 'FolderCreate', description: 'A new folder.', examples: [{ name: 'Exhibitions' }] },
);

export const FolderUpdate = Type.Object(Type.Partial(Type.Object(fields)).properties, {
  title: 'FolderUpdate',
  description: 'The fields of a folder that change.',
  examples: [{ name: 'Exhibitions' }],
});
