import Type, { type Static } from 'typebox';
import { fieldLimits } from '../../../content/common-fields.ts';
import { Collection, CollectionUpdate } from '../model.ts';

export type TemplateUse = Static<typeof TemplateUse>;
const TemplateUse = Type.Object(
  {
    kind: Type.String({ description: 'Kind of the object that holds the template.' }),
    id: Type.Integer({ description: 'ID of the object.' }),
    name: Type.String({ description: 'Name of the template, or of the node of a workflow.' }),
    line: Type.Integer({ description: 'Line of the name, from 1.' }),
    column: Type.Integer({ description: 'Column of the name, from 1.' }),
    field: Type.String({
      description: 'The field that is read; where a slug is named, the field or setting that holds the text.',
    }),
  },
  {
    title: 'TemplateUse',
    description: 'A place in a template, a setting or code that names a field or slug.',
  },
);
const templates = Type.Array(TemplateUse, {
  description: 'Templates, settings and code that name what is gone.',
});

export const ImpactQuestion = Type.Object(
  {
    fields: CollectionUpdate.properties.fields,
    slug: CollectionUpdate.properties.slug,
  },
  {
    title: 'ImpactQuestion',
    description: 'The fields or the slug that a collection would have; one of them must be given.',
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
  { title: 'Impact', description: 'What a change of the fields or the slug would break.' },
);

export const RenameField = Type.Object(
  {
    from: Type.String({ maxLength: fieldLimits.name, description: 'Name of the field.' }),
    to: Type.String({ maxLength: fieldLimits.name, description: 'Its new name.' }),
  },
  { title: 'RenameField', description: 'A field to rename.', examples: [{ from: 'headline', to: 'title' }] },
);

export const RenameSlug = Type.Object(
  {
    to: Type.String({ maxLength: fieldLimits.name, description: 'The new slug.' }),
    carry: Type.Optional(
      Type.Boolean({
        description:
          'Write the new slug wherever the old one is named; addresses of sources stay. Default: false.',
      }),
    ),
  },
  {
    title: 'RenameSlug',
    description: 'A new slug of a collection.',
    examples: [{ to: 'articles', carry: true }],
  },
);

export const RenamedCollection = Type.Object(
  { ...Collection.properties, templates },
  { title: 'RenamedCollection', description: 'A collection after it or a field of it was renamed.' },
);
