import type { Static, TSchema } from 'typebox';
import type { Change, ObjectNames } from '../change.ts';
import type { ContentDb, ContentTables } from '../db/tables.ts';
import type { ErrorCode } from '../errors.ts';
import type { NamedTemplate } from '../templates.ts';

/**
 * The state of an object: the fields of its GET, without those that static analysis adds. Revisions store it.
 */
export interface ObjectState {
  readonly id: number;
}

/** A list that may be very long, in slices of some hundred entries. */
export type Slices = AsyncIterable<readonly unknown[]>;

/**
 * A kind of object, declared once by its feature. Endpoints, OpenAPI, revisions and change records come from
 * the declaration (`routes.ts`, `objects.ts`); batch, webhooks, usage, cleanup and bundle use the same
 * declaration.
 */
export interface Kind<
  State extends ObjectState = ObjectState,
  Create extends TSchema = TSchema,
  Update extends TSchema = TSchema,
> {
  /** Name of the kind in change events and batches, e.g. `asset`. */
  readonly name: string;
  /** Path of its endpoints below `/api/v1`, e.g. `/assets`. */
  readonly path: string;
  /** Noun with its article for the summaries of the endpoints, e.g. `an asset`. */
  readonly noun: string;
  readonly schemas: {
    readonly create: Create;
    readonly update: Update;
    /** Answer to GET. */
    readonly answer: TSchema;
    /** Answer to POST and PUT, if it has more fields. */
    readonly saved?: TSchema;
  };
  /** Errors of this kind, besides the errors of every kind. */
  readonly errors?: { readonly create?: readonly ErrorCode[]; readonly update?: readonly ErrorCode[] };
  /** The list: GET of `path`. */
  readonly list: {
    readonly summary: string;
    readonly query?: TSchema;
    readonly entry: TSchema;
    read(db: ContentDb, query: unknown): Promise<readonly unknown[]> | Slices;
  };
  /** True if the specification has no GET for a single object. */
  readonly isListedOnly?: boolean;
  /** True if answers contain counts of visits, which change without content. They are not cached. */
  readonly countsVisits?: boolean;
  /** `template`: other templates can name the object. `named`: templates refer to it in another way. */
  readonly inTemplates?: 'named' | 'template';

  find(db: ContentDb, id: number): Promise<State | undefined>;
  /** Stores a new object. */
  create(change: Change, body: Static<Create>): Promise<State>;
  /** Checks the fields of a body and returns the object with them. It writes nothing. */
  merge(change: Change, before: State, body: Static<Update>): Promise<State>;
  /** Stores `after`, the result of {@link merge} with a new `updated_at`, and returns the stored state. */
  write(change: Change, after: State, before: State): Promise<State>;
  remove(change: Change, state: State): Promise<void>;

  /** Names of the object in change records. */
  namesOf(state: State): ObjectNames;
  /** The answer to GET. Must be called outside of changes. Default: the state. */
  present?(state: State): Promise<unknown>;
  /** The answer to POST and PUT. Default: the answer to GET. */
  presentSaved?(state: State): Promise<unknown>;

  readonly revisions?: KindRevisions<State, Update>;
  /** The references of an object, for usage and cleanup. */
  refersTo?(state: State): References;
  /** Tables of the kind in a bundle. A table comes before the tables that refer to it. */
  readonly tables: readonly (keyof ContentTables)[];
}

/** Revisions of the objects of a kind. */
export interface KindRevisions<State, Update extends TSchema> {
  /** Name of the kind in `/revisions`. */
  readonly kind: string;
  /** Makes the body of a PUT that restores a stored state. */
  restore(db: ContentDb, current: State, stored: State): Promise<Static<Update>>;
}

/** The references of an object. */
export interface References {
  readonly objects: readonly { readonly kind: string; readonly id: number }[];
  /** The templates of the object, which contain further references. */
  readonly templates: readonly NamedTemplate[];
}
