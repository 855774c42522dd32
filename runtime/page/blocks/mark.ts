import type { SafeString } from '../../values/safe.ts';

/** What a mark stands for. */
export type Mark =
  /** An HTML comment. */
  | { readonly kind: 'comment'; readonly text: string }
  /** An attribute that the template writes itself, with `block_field()`. */
  | { readonly kind: 'attribute'; readonly field: string }
  /** The beginning of a value, which has the next number at its end. */
  | { readonly kind: 'value'; readonly field: string; readonly value: string | SafeString }
  | { readonly kind: 'end' }
  /** The address of an image. */
  | { readonly kind: 'image'; readonly field: string };
