import Type, { type Static } from 'typebox';

/** Core, "404 log entry". */
export const NotFoundEntry = Type.Object({
  path: Type.String(),
  hits: Type.Integer(),
  first_at: Type.Integer(),
  last_at: Type.Integer(),
  /** Most recently seen address of a page that led here, empty when none was. */
  referer: Type.String(),
  ignored: Type.Boolean(),
});
export type NotFoundEntry = Static<typeof NotFoundEntry>;

export const NotFoundListQuery = Type.Object({ root_id: Type.Integer() });

/** Without `path` the whole log is meant. */
export const NotFoundQuery = Type.Object({ root_id: Type.Integer(), path: Type.Optional(Type.String()) });
export type NotFoundQuery = Static<typeof NotFoundQuery>;

export const NotFoundUpdate = Type.Object({ ignored: Type.Boolean() });
export type NotFoundUpdate = Static<typeof NotFoundUpdate>;
