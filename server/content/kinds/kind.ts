import type { Static, TSchema } from 'typebox';
import type { Actor } from '../../base/actor.ts';
import type { ErrorCode, FieldFault } from '../../base/errors.ts';
import type { Placement } from '../../base/rights.ts';
import type { Warning } from '../../base/warnings.ts';
import type { Change } from '../../changes/changes.ts';
import type { ObjectNames } from '../../changes/record.ts';
import type { CheckedText, TextReport } from '../../changes/text-analysis.ts';
import type { ContentDb, ContentTables } from '../../db/tables.ts';
import type { PlacedMarkup } from '../fields/markup.ts';
import type { KindTrash } from './trash/declaration.ts';

/**
 * The state of an object: the fields of its GET, without those that static analysis adds. Revisions store it.
 */
export interface ObjectState {
  readonly id: number;
}

/** An object by the name of its kind and its ID. */
export interface ObjectKey {
  readonly kind: string;
  readonly id: number;
}

/** What an object refers to. `key` is an ID as text, the name of a snippet, or a link (`linksIn`). */
export interface Reference {
  readonly kind: string;
  readonly key: string;
}

/** A text that may name a collection or its fields. */
export interface NamingText {
  /** The field of the object, or the setting of the node, that holds it. */
  readonly field: string;
  /** Name of the part of the object that it stands in; default: that of the object. */
  readonly name?: string;
  readonly source: string;
  /** `slug`: the slug and nothing else. `address`: an address, which may be one of another server. */
  readonly holds: 'slug' | 'text' | 'address';
}

export type NamingVisitor = (text: NamingText) => string;

/** A name under which other objects may refer to an object. */
export interface ReferenceTarget extends Reference {
  /** Only references of this website and of objects of all websites count. Default: all references. */
  readonly rootId?: number;
  /** Whether links to paths below `key` count too. */
  readonly withBelow?: boolean;
}

/** A list that may be very long, in slices of some hundred entries. */
export type Slices = AsyncIterable<readonly unknown[]>;

export type KindEndpoint = 'list' | 'create' | 'get' | 'update' | 'delete';

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
  /** Name of the kind in lists of what uses an object. Default: `name`. */
  readonly nameInUsage?: string;
  /** Path of its endpoints below `/api/v1`, e.g. `/assets`. */
  readonly path: string;
  /** Noun with its article for the summaries of the endpoints, e.g. `an asset`. */
  readonly noun: string;
  /** What the objects are, for the description of the API. */
  readonly about: string;
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
  /** The endpoints that are made from the declaration. Default: all. */
  readonly endpoints?: readonly KindEndpoint[];
  /** Finds the ID of an object that a path names otherwise; the placeholder of its paths is then `{ref}`. */
  findId?(db: ContentDb, ref: string): Promise<number | undefined>;
  /** True if answers contain counts of visits, which change without content. They are not cached. */
  readonly countsVisits?: boolean;

  find(db: ContentDb, id: number): Promise<State | undefined>;
  /**
   * The faults in the fields of a body, all at once. `create` and `merge` get only bodies without faults.
   *
   * @param fields those fields of the body that fit the schema
   * @param before the object to change; undefined for a new one
   */
  faultsIn?(
    db: ContentDb,
    fields: Partial<Static<Create>> & Partial<Static<Update>>,
    before: State | undefined,
  ): Promise<readonly FieldFault[]>;
  /**
   * Refuses names in a body that its schema leaves open, if `strict=1`.
   *
   * @throws ApiError 400 `common.unknownField`
   */
  refuseUnknown?(
    db: ContentDb,
    body: Static<Create> | Static<Update>,
    before: State | undefined,
  ): Promise<void>;
  /**
   * Refuses a body that only another process can judge, such as code. Called before the change begins.
   *
   * @throws ApiError
   */
  checkBefore?(body: unknown, isStrict: boolean): Promise<void>;
  /** Stores a new object. */
  create(change: Change, body: Static<Create>): Promise<State>;
  /** Checks the fields of a body and returns the object with them. It writes nothing. */
  merge(change: Change, before: State, body: Static<Update>): Promise<State>;
  /** Stores `after`, the result of {@link merge} with a new `updated_at`, and returns the stored state. */
  write(change: Change, after: State, before: State): Promise<State>;
  remove(change: Change, state: State): Promise<void>;

  /** How rights see the objects. */
  readonly rights: KindRights<State>;
  /** Names of the object in change records. */
  namesOf(state: State): ObjectNames;
  /**
   * The answer to GET. Must be called outside of changes, unless `reports` and `db` are given. Default: the state.
   *
   * @param reports the reports about `texts`, if they are known already
   * @param db where the state was read; default: the committed content
   */
  present?(state: State, reports?: readonly TextReport[], db?: ContentDb): Promise<object>;
  /** The state without what a caller may not see. Default: everything may be seen. */
  redactFor?(actor: Actor, state: State): State;
  /** Name of a field whose values count as fields of their own in change sets, such as `data` of entries, `regions` of pages. */
  readonly valuesIn?: string;

  /**
   * The texts of an object that are checked when it is saved. The findings are the `warnings` in the answers to
   * POST and PUT, and `strict=1` refuses texts that cannot work. References in templates are found here too.
   */
  texts?(state: State): readonly CheckedText[];
  /** The values of an object that pages show as HTML; who may not write code saves only what is safe. */
  listMarkup?(change: Pick<Change, 'tx' | 'report'>, state: State): Promise<readonly PlacedMarkup[]>;
  /** Warnings besides those about each text. */
  moreWarnings?(state: State, reports: readonly TextReport[]): readonly Warning[];

  /** How objects of the kind are changed in batches. Default: not at all. */
  readonly batch?: KindBatch;
  readonly revisions?: KindRevisions<State, Update>;
  /** What the fields of an object refer to, by field; references in its templates come from `texts`. */
  refersTo?(state: State): Readonly<Record<string, readonly Reference[]>>;
  /**
   * Goes through the fields besides `texts` that name collections and their fields: settings and code. Returns the
   * body of a PUT with what `visit` answers in their place. For renames.
   */
  naming?(state: State, visit: NamingVisitor): Static<Update>;
  /**
   * Warnings about what a change has left behind, in the answers to POST and PUT.
   *
   * @param before undefined for a new object
   */
  warningsAfter?(db: ContentDb, before: State | undefined, after: State): Promise<readonly Warning[]>;
  /** How others refer to an object. Such a kind has `if_unused` on DELETE. */
  readonly usage?: KindUsage<State>;
  /** Whether a state that was taken as it is breaks rules that a save would ask of it. */
  breaksRules?(db: ContentDb, state: State): Promise<boolean>;
  /** How deleted objects are kept. Default: a deletion is final. */
  readonly trash?: KindTrash<State>;
  /** Tables of the kind in a bundle: the first has a row for each object. */
  readonly tables: readonly (keyof ContentTables)[];
  /** What is special about these tables in a bundle. */
  readonly bundle?: KindBundle;
  /** Stores the references of an object anew, for a kind that keeps them without `refersTo` and `texts`. */
  keepReferences?(change: Change, state: State): Promise<void>;
}

/** What is special about the objects of a kind in a bundle (Data, Automation and Operations, "Bundles"). */
export interface KindBundle {
  /** Columns of the first table that belong to an instance: a bundle does not have them. */
  readonly ownColumns?: readonly string[];
  /** Columns of the first table whose change alone is no change of content, besides `updated_at`. */
  readonly uncounted?: readonly string[];
  /** Columns of the first table that an object never changes: with another value it is another object. */
  readonly fixed?: readonly string[];
  /** Columns of the first table that name files or entries by their IDs. Addresses of files are found in all texts. */
  readonly names?: Readonly<Record<string, IdHolder>>;
  /**
   * What is wrong with the objects as a whole, such as pages below each other in a circle; undefined if nothing is.
   * Asked of the rows of a bundle before anything is imported.
   */
  faultIn?(db: ContentDb): Promise<string | undefined>;
  /**
   * Looks at the objects as they will be after an import.
   *
   * @returns how many of those that it brings break rules that a save would ask of them
   * @throws ApiError if they cannot be taken
   */
  review?(staged: ContentDb, target: ContentDb): Promise<number>;
  /** Stores anew what other tables hold of all objects. Called in the change of an import, when its rows are written. */
  derive?(db: ContentDb): Promise<void>;
}

/**
 * How a column names objects: the ID of a file, a template, a block tree, the schema of a block type, the fields of a
 * collection, the values of an entry, the graph of a workflow, the words of a page. All but the first two are JSON.
 */
export type IdHolder = 'file' | 'template' | 'tree' | 'blockType' | 'fields' | 'values' | 'flow' | 'regions';

/**
 * A table with facts about objects that no page shows and that are no content, such as where they come from. A bundle
 * carries it; the hash of the content leaves it out.
 */
export interface AttachedTable {
  readonly name: keyof ContentTables;
  /** Name of the kind whose objects its rows belong to. */
  readonly kind: string;
  /** What is wrong with its rows; undefined if nothing is. Asked of the rows of a bundle. */
  faultIn?(db: ContentDb): Promise<string | undefined>;
}

/** What a batch may do with the objects of a kind (Data, Automation and Operations, "Batch"). */
export interface KindBatch {
  readonly ops: readonly ObjectOp[];
  /** The fields of a body that hold an ID or a list of IDs. There, `@ref` stands for a created object. */
  readonly idFields: readonly string[];
  /** A value of a body with others in the places of IDs deeper inside; the same where it has none. */
  replaceIds?(name: string, value: unknown, replace: (id: unknown) => unknown): unknown;
  /** Operations besides `ops`, each with the rules of its own endpoint. */
  readonly more?: Readonly<Partial<Record<ArrangingOp, KindOperation>>>;
  /** True if `published` may stand beside the fields. */
  readonly hasState?: boolean;
  /** True if `base_updated_at` does not count. */
  readonly ignoresBase?: boolean;
  /** Set if the objects belong to another one, which every operation names in `collection`. */
  readonly within?: { find(db: ContentDb, ref: string | number): Promise<BatchScope | undefined> };
}

/** What the objects of an operation belong to. */
export interface BatchScope {
  /** Its name in the results. */
  readonly slug: string;
  /** A value of `data` with others in the places of IDs, besides those of {@link KindBatch.idFields}. */
  replaceIds(name: string, value: unknown, replace: (id: unknown) => unknown): unknown;
  contains(state: ObjectState): boolean;
  /** The body of the single endpoint; of a create with what the object belongs to. */
  toBody(op: 'create' | 'update', data: Readonly<Record<string, unknown>>, published?: boolean): object;
}

/** An operation on an object besides its fields, such as a move. */
export interface KindOperation {
  /** Schema of `data`. */
  readonly body: TSchema;
  /** The fields of `data` that hold an ID. */
  readonly idFields: readonly string[];
  /** The errors of its endpoint. */
  readonly errors: readonly ErrorCode[];
  /** Runs it. `body` has passed the schema. @throws the errors of its endpoint */
  run(change: Change, id: number, body: unknown): Promise<void>;
}

/** What every kind may do with its objects. */
export type ObjectOp = 'create' | 'update' | 'delete';
/** What only some kinds do with their objects. */
export type ArrangingOp = 'move' | 'link' | 'unlink' | 'replace';
export type BatchOp = ObjectOp | ArrangingOp;

/** Revisions of the objects of a kind. */
export interface KindRevisions<State, Update extends TSchema> {
  /** Name of the kind in `/revisions`. */
  readonly kind: string;
  /** Makes the body of a PUT that restores a stored state. */
  restore(db: ContentDb, current: State, stored: State): Promise<Static<Update>>;
}

/** How rights see the objects of a kind. */
export interface KindRights<State> {
  /** Where an object stands, if other limits than those of kinds concern it. */
  place?(db: ContentDb, state: State): Promise<ObjectPlace>;
  /** What is inside of an object and may be placed otherwise: with a language or a kind of its own. */
  listInside?(db: ContentDb, state: State): Promise<readonly InsidePlace[]>;
  /** The fields that hold templates, CSS, JS or code of workflows. `all`: every change of an object is one of code. */
  readonly code: 'all' | readonly string[];
  /** Fields that hold code only if their text has a tag of a template. */
  readonly templates?: readonly string[];
}

/**
 * An object inside of another one, which is deleted and moved with it. What is missing is as for the outer one; without
 * an ID it stands for all of its kind.
 */
export interface InsidePlace extends Pick<Placement, 'language'> {
  readonly kind?: string;
  readonly id: number | undefined;
  /** IDs of the page and of those between it and the outer one. */
  readonly pages?: readonly number[];
}

/** A placement without the object itself. */
export type ObjectPlace = Omit<Placement, 'kind' | 'id'>;

/** How other objects refer to the objects of a kind. */
export interface KindUsage<State> {
  /** The names under which others refer to an object. */
  targets(db: ContentDb, state: State): Promise<readonly ReferenceTarget[]>;
  /** Whether `remove` always refuses an object in use, with an error of its own. */
  readonly isRefusedByKind?: boolean;
  /** Objects inside of an object, which are deleted with it; at most `limit`. */
  contents?(db: ContentDb, state: State, limit: number): Promise<readonly ObjectKey[]>;
}
