import Type, { type Static } from 'typebox';
import { Warning } from '../../base/warnings.ts';
import { baseUpdatedAt, fieldLimits, serverFields } from '../../content/common-fields.ts';

const template = (description: string) => Type.String({ maxLength: fieldLimits.template, description });
const fields = {
  title: Type.String({ maxLength: fieldLimits.title, description: 'Title of the document.' }),
  html: template('Template of the body, or a whole document.'),
  css: template('CSS of the document.'),
  js: template('JavaScript of the document.'),
  public: Type.Boolean({ description: 'Whether everybody may open its address.' }),
  show_code: Type.Boolean({
    description: 'Whether the public address shows result and code; false: only the result.',
  }),
};

/** Data, Automation and Operations, "Pen". */
export const Pen = Type.Object(
  {
    id: serverFields.id,
    uuid: Type.String({ description: 'Set by the server; its addresses contain it.' }),
    ...fields,
    created_at: serverFields.created_at,
    updated_at: serverFields.updated_at,
  },
  {
    title: 'Pen',
    description: 'A playground of HTML, CSS and JS with an address of its own, `/cms-admin/pen/{uuid}`.',
    examples: [
      {
        id: 1,
        uuid: '0b6f5a3e-6f0e-4d6a-9c53-0a4f4b8b5c1d',
        title: 'Clock',
        html: '<p>{{ now|date:"H:i" }}</p>',
        css: 'p { font-size: 4rem }',
        js: '',
        public: true,
        show_code: true,
        created_at: 1767225600,
        updated_at: 1767225600,
      },
    ],
  },
);
export type Pen = Static<typeof Pen>;

export const SavedPen = Type.Object(
  { ...Pen.properties, warnings: Type.Array(Warning, { description: 'Findings about its texts.' }) },
  { title: 'SavedPen', description: 'A pen after a save, with the findings about its texts.' },
);

export const PenCreate = Type.Object(Type.Partial(Type.Object(fields)).properties, {
  title: 'PenCreate',
  description: 'A new pen. Texts are empty by default, `public` is false, `show_code` is true.',
  examples: [{ title: 'Clock', html: '<p>{{ now|date:"H:i" }}</p>', public: true }],
});
export type PenCreate = Static<typeof PenCreate>;

export const PenUpdate = Type.Object(
  { ...baseUpdatedAt, ...Type.Partial(Type.Object(fields)).properties },
  {
    title: 'PenUpdate',
    description: 'The fields of a pen that change.',
    examples: [{ css: 'p { font-size: 5rem }', base_updated_at: 1767225600 }],
  },
);
export type PenUpdate = Static<typeof PenUpdate>;

const { title, html, css, js } = fields;
export const PenPreviewRequest = Type.Object(Type.Partial(Type.Object({ title, html, css, js })).properties, {
  title: 'PenPreviewRequest',
  description: 'Unsaved fields of a pen; missing ones come from the saved pen.',
  examples: [{ html: '<p>Draft</p>' }],
});
export type PenPreviewRequest = Static<typeof PenPreviewRequest>;

export const PenPreview = Type.Object(
  { html: Type.String({ description: 'The document.' }) },
  { title: 'PenPreview', description: 'A rendered pen.', examples: [{ html: '<!DOCTYPE html>' }] },
);
export type PenPreview = Static<typeof PenPreview>;
