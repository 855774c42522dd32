import type { MacroParam } from '../grammar/ast.ts';

/**
 * What analysis finds out about one template from its own text alone. Plain data: kept in the disk cache, printed
 * by `explain`, compared by tests. What needs other templates (all names that may be read below an include, whether
 * something may be asynchronous) is worked out by the linker from these.
 */
export interface Facts {
  /** Names that the text reads and does not bind: a caller may bind them, else they come from the render context. */
  readonly free: readonly string[];
  /** Other templates that are named, in document order. */
  readonly dependencies: readonly Dependency[];
  /** Names of all `{% block %}`s. */
  readonly blocks: readonly string[];
  /** Macros defined here, with how many parameters each takes. */
  readonly macros: readonly MacroFacts[];
  /** Template functions called. */
  readonly functions: readonly string[];
  /** Whether the text outputs the block tree of the page, `{% blocks page.blocks %}`. */
  readonly outputsPageBlocks: boolean;
  /** Names of all slots, `default` for the nameless one; by `{% slot %}` or by asking `slots.name`. */
  readonly slots: readonly string[];
  /** Collections and sources read by name, in document order. */
  readonly collections: readonly CollectionRead[];
  /** Assets whose address is asked for by number. */
  readonly assets: readonly NumberRead[];
}

/** `data("slug", ...)` or `item("slug", "field", value)` with a literal name. */
export interface CollectionRead {
  readonly slug: string;
  /** Offset of the name. */
  readonly offset: number;
  /** Filter and lookup fields named literally, with their offsets. */
  readonly fields: readonly { readonly name: string; readonly offset: number }[];
  /** The field that is looked up by the rest of the path, `item(coll, field, route.slug)`; null if none. */
  readonly routeField: string | null;
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
  /** A bare word that could be a variable as well: the name counts if such a template exists. */
  readonly word: boolean;
  /** The tag, as offset into the source. */
  readonly offset: number;
  /**
   * Names that this template binds at the place: they are not free in it even if the other template reads them.
   * Without `forloop`, which leads on to the caller's loop. None where the other template does not see them.
   */
  readonly binds: readonly string[];
  /** Whether the other template sees the caller's variables besides what it is given. */
  readonly seesCaller: boolean;
}
