import Type from 'typebox';
import { fieldLimits } from '../../../content/common-fields.ts';
import { Collection, CollectionUpdate } from '../model.ts';

const TemplateUse = Type.Object(
  {
    kind: Type.String({ description: 'Kind of the object that holds the template.' }),
    id: Type.Integer({ description: 'ID of the object.' }),
    name: Type.String({ description: 'Name of the template.' }),
    line: Type.Integer({ description: 'Line of the name, from 1.' }),
    column: Type.Integer({ description: 'Column of the name, from 1.' }),
    field: Type.String({ description: 'The field that the template reads.' }),
  },
  { title: 'TemplateUse', description: 'A place in a template that reads a field.' },
);
const templates = Type.Array(TemplateUse, { description: 'Templates that read fields which are gone.' });

export const ImpactQuestion = Type.Object(
  { fields: Type.Required(CollectionUpdate).properties.fields },
  {
    title: 'ImpactQuestion',
    description: 'The fields that a collection would have.',
    examples: [{ fields: [{ name: 'title', type: 'text' }] }],
  },
);

export const Impact = Type.Object(
  {
    templates,
    entries: Type.Record(Type.String(), Type.Integer(), {
      description: 'Number of entries that would lose their value when they are saved next, by field.',
    }),
    detail_pages: Type.Object(
      {
        breaks: Type.Boolean({ description: 'Whether entries would lose their pages.' }),
        reason: Type.String({ description: 'Why, in English; empty if they stay.' }),
      },
      { title: 'DetailPageImpact', description: 'What happens to the pages of the entries.' },
    ),
  },
  { title: 'Impact', description: 'What a change of the fields would break.' },
);

export const RenameField = Type.Object(
  {
    from: Type.String({ maxLength: fieldLimits.name, description: 'Name of the field.' }),
    to: Type.String({ maxLength: fieldLimits.name, description: 'Its new name.' }),
  },
  { title: 'RenameField', description: 'A field to rename.', examples: [{ from: 'headline', to: 'title' }] },
);

export const RenamedCollection = Type.Object(
  { ...Collection.properties, templates },
  { title: 'RenamedCollection', description: 'A collection after a field was renamed.' },
);
