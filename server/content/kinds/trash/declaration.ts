import type { Actor } from '../../../base/actor.ts';
import type { Change } from '../../../changes/changes.ts';
import type { Row } from '../../../db/connection.ts';
import type { ContentDb, ContentTables } from '../../../db/tables.ts';

/** An object by the name of its kind and its ID. */
interface TrashKey {
  readonly kind: string;
  readonly id: number;
}

/** What is special about deleted objects of a kind, besides their rows (`trash/`). */
export interface KindTrash<State> {
  /** What an object lies in and cannot be without. */
  parentOf?(state: State): TrashKey | undefined;
  /** Whether it can be restored when what it was in is gone for good; `beforeRestore` then gives it another place. */
  readonly survivesParent?: boolean;
  /** The object as a caller may see it. Default: all that may read see all of it. */
  redactFor?(actor: Actor, state: State): State;
  /** Lists of other objects that name it: table, and the column that says whose list a row belongs to. */
  readonly lists?: Readonly<Partial<Record<keyof ContentTables, string>>>;
  /** The bytes that are kept with it. */
  contentOf?(state: State): { readonly content: string; readonly bytes: number };
  /**
   * The deleted object as its GET, or as in its list where it has none. Default: as the kind presents it.
   *
   * @param counts numbers of the rows that were deleted with it, by table
   */
  present?(db: ContentDb, state: State, counts: Readonly<Record<string, number>>): Promise<object>;
  /**
   * Checks that its names are free and its parent is there. Called in the change of a restore, before any row is back.
   *
   * @returns how rows differ from those that were deleted
   * @throws ApiError 409 `trash.nameTaken`, unless `names` gives another name
   */
  beforeRestore?(change: Change, state: State, names: RestoredNames): Promise<RowEdits | undefined>;
  /** Called in the change of a restore when all rows are back. */
  afterRestore?(change: Change, id: number): Promise<void>;
  /** Deletes what lies outside of the tables of content, when an object is gone for good. */
  forget?(change: Change, deleted: DeletedRows): void;
}

/** A name that is to be restored. */
export interface RestoredName {
  /** What it is: `name`, `path`, `domain`, `key`, `address`. */
  readonly what: string;
  readonly name: string;
  /** Finds the object that has a name now. */
  findHolder(name: string): Promise<TrashKey | undefined>;
  /** Makes the n-th other name. Default: the name cannot be another one. */
  next?(number: number): string;
}

/** The names of a restore. */
export interface RestoredNames {
  /**
   * The name if it is free, else the next free one if that is wanted.
   *
   * @throws ApiError 409 `trash.nameTaken`
   */
  claim(name: RestoredName): Promise<string>;
}

/** Changes rows on their way back, by table. The result replaces the row; undefined leaves it out. */
export type RowEdits = Readonly<Partial<Record<keyof ContentTables, (row: Row) => Row | undefined>>>;

/** The deleted rows of a table, in the order of their deletion. */
export type DeletedRows = (table: keyof ContentTables) => readonly Row[];
