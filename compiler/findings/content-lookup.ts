/** What exists besides the templates. If a question is absent, its findings are left out. */
export interface ContentLookup {
  hasSnippet(name: string): boolean;
  /** For suggestions. */
  snippetNames?(): Iterable<string>;
  hasAsset?(id: number): boolean;
  /** Field names of a collection or source, undefined if there is none of that slug. */
  readonly fieldsOf?: CollectionFields;
  /** Where a field of a collection leads. */
  readonly linkOf?: LinkOf;
  /** The function that makes a file of the value of a field, which is its ID; undefined for all other fields. */
  readonly fileFunctionOf?: (slug: string, field: string) => 'image' | 'file' | undefined;
  /** Whether visitors write the entries of a collection. */
  readonly isLive?: (slug: string) => boolean;
  /** The objects of the system that templates read. */
  readonly system?: SystemObjects;
  /**
   * Whether the template is rendered by itself, with the variables of the system alone. A snippet also has
   * variables of the templates that include it.
   */
  readonly isPage?: boolean;
  /** Whether the template is that of a block type, which pages show any number of times. */
  readonly isBlockType?: boolean;
}

/** Field names of a collection or source, undefined if there is none of that slug. */
export type CollectionFields = (slug: string) => ReadonlySet<string> | 'any' | undefined;

/** The collection that a reference of a collection leads to; undefined for any other field. */
export type LinkOf = (
  slug: string,
  field: string,
) => { readonly slug: string; readonly isList: boolean } | undefined;

export interface SystemObjects {
  /** The variables that every template has, with the names of their fields; `any` for plain values. */
  readonly variables: ReadonlyMap<string, ReadonlySet<string> | 'any'>;
  /** Fields of the entries of `nav()` and `children()`. */
  readonly navFields: ReadonlySet<string>;
}
