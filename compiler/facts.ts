import type { MacroParam } from '../grammar/ast.ts';

/**
 * The facts that analysis finds in the text of one template alone. Plain data: kept in the disk cache,
 * printed by `explain`, compared by tests. Facts that need other templates (all names that may be read below
 * an include, whether a render may be asynchronous) are computed from these; see transitive-facts.ts.
 */
export interface Facts {
  /** Names that the text reads but does not bind. The caller binds them, or the render context has them. */
  readonly free: readonly string[];
  /** Tags that name another template, in document order. */
  readonly dependencies: readonly Dependency[];
  /** Names of all `{% block %}`s. */
  readonly blocks: readonly string[];
  /** Macros defined here, with the names of their parameters. */
  readonly macros: readonly MacroFacts[];
  /** Template functions called. */
  readonly functions: readonly string[];
  /** Whether every render outputs text of the author that is more than white space. */
  readonly showsText: boolean;
  /** Whether the text outputs the block tree of the page, `{% blocks page.blocks %}`. */
  readonly outputsPageBlocks: boolean;
  /** Whether the text has a `{% region %}`. */
  readonly hasRegions: boolean;
  /** Names that `for`, `with`, `set` and the like bind anywhere, `forloop` too. Blocks in them may see them. */
  readonly bound: readonly string[];
  /** Names of all cycles, `{% cycle ... as name %}`. Where a caller has the name, the cycle changes it there. */
  readonly cycles: readonly string[];
  /** Names of all slots in `{% slot name %}` and `slots.name`; `default` for the nameless slot. */
  readonly slots: readonly string[];
  /** Whether `slots` is used as a value, so that any slot may be read. */
  readonly opensSlots: boolean;
  /** All slots in the order of the list in which callers give them; empty if they cannot (listed-slots.ts). */
  readonly listedSlots: readonly ListedSlot[];
  /** Collections and sources read by name, in document order. */
  readonly collections: readonly CollectionRead[];
  /** Assets in `asset_url(id)` with a literal number. */
  readonly assets: readonly NumberRead[];
  /** Uploaded files in `image(id)` and `file(id)` with a literal number. */
  readonly files: readonly NumberRead[];
  /** Pages in `children(id)` with a literal number. */
  readonly pages: readonly NumberRead[];
}

/** `data("slug", ...)` or `item("slug", "field", value)` with a literal name. */
export interface CollectionRead {
  readonly slug: string;
  /** Offset of the name. */
  readonly offset: number;
  /** Filter and lookup fields named literally, with their offsets. */
  readonly fields: readonly { readonly name: string; readonly offset: number }[];
  /** `field` of `item(coll, field, route.slug)`, which finds the entry of a detail page; null if none. */
  readonly routeField: string | null;
  /** `_sort`, if it is a literal; null if it is computed or absent. */
  readonly sort: string | null;
}

export interface ListedSlot {
  readonly name: string;
  /** Whether every render reads the content: then the caller gives it as a text, else as a function. */
  readonly isCertain: boolean;
}

export interface NumberRead {
  readonly id: number;
  readonly offset: number;
}

export interface MacroFacts {
  readonly name: string;
  readonly params: readonly Pick<MacroParam, 'name'>[];
}

export type DependencyKind = 'include' | 'extends' | 'component' | 'import';

export interface Dependency {
  readonly kind: DependencyKind;
  /** The name, or null if it is computed while rendering. */
  readonly name: string | null;
  /** True for a bare word that may also be a variable. It counts as the name if such a template exists. */
  readonly word: boolean;
  /** The tag, as offset into the source. */
  readonly offset: number;
  /**
   * Names that this template binds at the tag: they are not free in this template even if the other template
   * reads them. `forloop` is left out, because it leads to the loop of the caller. Empty if the other
   * template does not see the variables of this one.
   */
  readonly binds: readonly string[];
  /** Whether the other template sees the variables of this one, besides its arguments. */
  readonly seesCaller: boolean;
  /** Whether every render of this template runs the tag: it stands in no branch, loop, block or slot. */
  readonly always: boolean;
}
