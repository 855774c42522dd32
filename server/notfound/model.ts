import Type, { type Static } from 'typebox';

/** Core, "404 log entry". */
export const NotFoundEntry = Type.Object({
  path: Type.String(),
  hits: Type.Integer(),
  first_at: Type.Integer(),
  last_at: Type.Integer(),
  /** Address of the page that most recently led here; empty if there was none. */
  referer: Type.String(),
  ignored: Type.Boolean(),
});
export type NotFoundEntry = Static<typeof NotFoundEntry>;

export const NotFoundListQuery = Type.Object({ root_id: Type.Integer() });

/** Without `path` the request is about the whole log. */
export const NotFoundQuery = Type.Object({ root_id: Type.Integer(), path: Type.Optional(Type.String()) });
export type NotFoundQuery = Static<typeof NotFoundQuery>;

export const NotFoundUpdate = Type.Object({ ignored: Type.Boolean() });
export type NotFoundUpdate = Static<typeof NotFoundUpdate>;
