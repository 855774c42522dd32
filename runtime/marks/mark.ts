import { escapeHtml } from '../values/escape.ts';
import { SafeString } from '../values/safe.ts';

/**
 * What a mark stands for:
 *
 * - `comment`: comments of blocks, lists and slots
 * - `attribute`: an attribute that the template writes itself, with `block_field()`
 * - `value`: the beginning of a value
 * - `image`: the address of an image
 * - `region`: the beginning of a region
 */
type MarkKind = 'comment' | 'attribute' | 'value' | 'image' | 'region';

/** A mark. Those that follow from a place or a stored tree are shared by all previews. */
export class Mark {
  readonly kind: MarkKind;
  /** The comments of a `comment` or `region`, else the attribute `data-ic-field`. */
  readonly html: string;
  /** The value behind the mark, if it has one. Of a `region` its name. */
  readonly value: string | SafeString;
  #escaped: string | undefined = undefined;

  constructor(kind: MarkKind, html: string, value: string | SafeString = '') {
    this.kind = kind;
    this.html = html;
    this.value = value;
  }

  /** The value as templates print it unchanged. */
  get printed(): string {
    if (this.value instanceof SafeString) return this.value.value;
    this.#escaped ??= escapeHtml(this.value);
    return this.#escaped;
  }
}
