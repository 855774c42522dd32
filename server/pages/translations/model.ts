import Type, { type Static } from 'typebox';

/** One of the other language versions of a page. */
export const Translation = Type.Object({
  page_id: Type.Integer(),
  /** The effective language. */
  lang: Type.String(),
  title: Type.String(),
  /** Absolute for a page of another website that has a domain, else the path. */
  url: Type.String(),
  path: Type.String(),
  published: Type.Boolean(),
});
export type Translation = Static<typeof Translation>;

export const TranslationLink = Type.Object({
  page_id: Type.Integer({ minimum: 1 }),
  /** Takes the page out of its present group. */
  move: Type.Optional(Type.Boolean()),
});
export type TranslationLink = Static<typeof TranslationLink>;
