import type { Actor } from '../../base/actor.ts';
import type { Action } from '../../base/rights.ts';
import type { Change } from '../../changes/changes.ts';
import type { ContentDb } from '../../db/tables.ts';

/** A change set as its reviewers see it. */
export interface ReviewedSet {
  readonly id: number;
  /** Who has made it, and who has changed something in it. */
  readonly authors: readonly string[];
  /** Of what it does. */
  readonly hash: string;
}

/** The fields of an object with a change set; undefined if there is none. @throws ApiError 400 `batch.kindUnknown` */
export type ReadObject = (
  db: ContentDb,
  object: { readonly kind: string; readonly id: number },
) => Promise<Readonly<Record<string, unknown>> | undefined>;

/** What reviews need to know of change sets. */
export interface ReviewedSets {
  /** The change set, if something can still become of it. @throws ApiError `common.notFound`, 409 `changeset.closed` */
  requireOpen(db: ContentDb, actor: Actor, id: number): Promise<ReviewedSet>;
  /** Reads the objects of a change set. @throws ApiError `common.notFound` */
  openObjects(db: ContentDb, actor: Actor, id: number): Promise<ReadObject>;
  /**
   * Checks that a caller may read something of a change set, or all of it for an action.
   *
   * @throws ApiError `common.notFound`, 403 `auth.notAllowed`
   */
  requireReadable(reader: ContentDb, actor: Actor, id: number, wholeFor?: Action): Promise<void>;
  /** Notes that somebody works on a change set. */
  noteWork(change: Change, id: number): Promise<void>;
}
