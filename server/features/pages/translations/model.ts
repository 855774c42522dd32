import Type, { type Static } from 'typebox';

/** One of the other language versions of a page. */
export const Translation = Type.Object(
  {
    page_id: Type.Integer({ description: 'ID of the page.' }),
    lang: Type.String({ description: 'Its effective language.' }),
    title: Type.String({ description: 'Its title.' }),
    url: Type.String({
      description: 'Absolute for a page of another website that has a domain, else the path.',
    }),
    path: Type.String({ description: 'Its URL path.' }),
    published: Type.Boolean({ description: 'False for a draft.' }),
  },
  { title: 'Translation', description: 'Another language version of a page.' },
);
export type Translation = Static<typeof Translation>;

export const TranslationLink = Type.Object(
  {
    page_id: Type.Integer({ minimum: 1, description: 'The page to link.' }),
    move: Type.Optional(Type.Boolean({ description: 'Takes that page from its present language versions.' })),
  },
  {
    title: 'TranslationLink',
    description: 'A page to link as language version.',
    examples: [{ page_id: 7 }],
  },
);
export type TranslationLink = Static<typeof TranslationLink>;
