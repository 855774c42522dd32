/** What a mark stands for. */
export type Mark =
  /** An HTML comment. */
  | { readonly kind: 'comment'; readonly text: string }
  /** An attribute that the template writes itself, with `block_field()`. */
  | { readonly kind: 'attribute'; readonly field: string }
  /** The beginning of a value; `forms` is how the value may be printed. The end has the next number. */
  | { readonly kind: 'value'; readonly field: string; readonly forms: readonly string[] }
  | { readonly kind: 'end' }
  /** The address of an image. */
  | { readonly kind: 'image'; readonly field: string };
