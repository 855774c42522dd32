import Type, { type Static } from 'typebox';
import { maxPathLength } from '../../runtime/page/address.ts';

/** Longest target, in characters. */
const maxTargetLength = 2000;

export const RedirectStatus = Type.Union([Type.Literal(301), Type.Literal(302)]);
export type RedirectStatus = Static<typeof RedirectStatus>;

/** Longer than a path, because a client may send a full URL, which is reduced to its path. */
const source = Type.String({ maxLength: 2 * maxPathLength });
const target = Type.String({ maxLength: maxTargetLength });

export const RedirectCreate = Type.Object({
  root_id: Type.Integer(),
  source,
  target,
  status: Type.Optional(RedirectStatus),
});
export type RedirectCreate = Static<typeof RedirectCreate>;

export const RedirectUpdate = Type.Object({
  source: Type.Optional(source),
  target: Type.Optional(target),
  status: Type.Optional(RedirectStatus),
});
export type RedirectUpdate = Static<typeof RedirectUpdate>;

/** Core, "Redirect". */
export const Redirect = Type.Object({
  id: Type.Integer(),
  root_id: Type.Integer(),
  source: Type.String(),
  target: Type.String(),
  status: RedirectStatus,
  auto: Type.Boolean(),
  hits: Type.Integer(),
  last_hit_at: Type.Integer(),
  created_at: Type.Integer(),
});
export type Redirect = Static<typeof Redirect>;

/** A redirect as stored in content.db. Its uses are counted in activity.db. */
export type StoredRedirect = Omit<Redirect, 'hits' | 'last_hit_at'> & {
  /** Normalised path of a target on the same website, else empty. */
  readonly target_path: string;
};

export const RedirectListEntry = Type.Object({ ...Redirect.properties, target_missing: Type.Boolean() });
export type RedirectListEntry = Static<typeof RedirectListEntry>;

export const SiteQuery = Type.Object({ root_id: Type.Integer() });
export type SiteQuery = Static<typeof SiteQuery>;

export const ImportQuery = Type.Object({
  root_id: Type.Integer(),
  dry_run: Type.Optional(Type.Boolean()),
  delete: Type.Optional(Type.Boolean()),
});
export type ImportQuery = Static<typeof ImportQuery>;

/** The form of an import. */
export const ImportForm = Type.Object({ file: Type.String({ format: 'binary' }) });

const ImportChange = Type.Object({
  action: Type.Union([Type.Literal('create'), Type.Literal('update')]),
  source: Type.String(),
  target: Type.String(),
  status: RedirectStatus,
  old_target: Type.Optional(Type.String()),
  old_status: Type.Optional(RedirectStatus),
});
export type ImportChange = Static<typeof ImportChange>;

/** One error in a file. The header is row 1. */
const ImportError = Type.Object({
  row: Type.Integer(),
  message: Type.String(),
  code: Type.String(),
  params: Type.Record(Type.String(), Type.Unknown()),
});
export type ImportError = Static<typeof ImportError>;

/** Answer of POST /redirects/import (Core, "Redirects and 404 log"). */
export const ImportReport = Type.Object({
  delimiter: Type.String(),
  rows: Type.Integer(),
  created: Type.Integer(),
  updated: Type.Integer(),
  deleted: Type.Integer(),
  unchanged: Type.Integer(),
  open: Type.Integer(),
  changes: Type.Array(ImportChange),
  errors: Type.Array(ImportError),
  error_count: Type.Integer(),
  imported: Type.Boolean(),
});
export type ImportReport = Static<typeof ImportReport>;
