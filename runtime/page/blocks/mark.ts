import type { SafeString } from '../../values/safe.ts';

/** What a mark stands for. `field` is the attribute `data-ic-field`. */
export type Mark =
  /** HTML comments. */
  | { readonly kind: 'comment'; readonly html: string }
  /** An attribute that the template writes itself, with `block_field()`. */
  | { readonly kind: 'attribute'; readonly field: string }
  /** The beginning of a value. */
  | { readonly kind: 'value'; readonly field: string; readonly value: string | SafeString }
  /** The address of an image. */
  | { readonly kind: 'image'; readonly field: string };
