/** State shared while a flat list of items is nested: the position in the list, and the open tags. */
import type { Node } from '../ast.ts';
import { errorAt, type SourceText } from '../errors.ts';
import type { Item, PairedTag, Tag } from '../items.ts';
import type { PartialBody, PartialUse } from '../partials.ts';
import type { SizeCounter } from '../size.ts';

export interface Cursor {
  /**
   * Reads nodes up to the tag that ends or divides the innermost open tag. It is a field so that the
   * functions for single tags need not import each other.
   */
  readonly nestBody: (cursor: Cursor) => Body;
  readonly items: readonly Item[];
  readonly text: SourceText;
  index: number;
  readonly counter: SizeCounter;
  /** The partials defined or used so far. */
  readonly partials: Map<string, PartialBody>;
  /** The tags that render partials. */
  readonly uses: PartialUse[];
  /** Tags that are open, outermost first. */
  readonly open: PairedStartTag[];
}

export type PairedStartTag = Extract<Tag, { readonly tag: PairedTag }>;

export interface Body {
  readonly nodes: Node[];
  /** The tag that ended the body; absent at the end of the template. */
  readonly closer?: Tag;
}

export interface Enclosed {
  readonly body: Node[];
  /** Where the end tag ends. */
  readonly end: number;
}

/** The body of a paired tag that no other tag divides. */
export function nestSimple(cursor: Cursor, tag: PairedStartTag): Enclosed {
  const { nodes, closer } = runInsideTag(cursor, tag, () => cursor.nestBody(cursor));
  return { body: nodes, end: closer?.end ?? tag.end };
}

/** Like nestSimple, for a paired tag whose end tag may repeat its name. */
export function nestNamed(cursor: Cursor, tag: PairedStartTag & { readonly name: string }): Enclosed {
  const { nodes, closer } = runInsideTag(cursor, tag, () => cursor.nestBody(cursor));
  if (closer !== undefined && 'name' in closer && closer.name !== undefined && closer.name !== tag.name) {
    const expected = `expected {% end${tag.tag} ${tag.name} %}`;
    throw errorAt(
      cursor.text,
      closer.start,
      `{% ${closer.tag} ${closer.name} %} closes another ${tag.tag}, ${expected}`,
    );
  }
  return { body: nodes, end: closer?.end ?? tag.end };
}

/** Calls `run` with the tag as the innermost open tag. */
export function runInsideTag<Result>(cursor: Cursor, tag: PairedStartTag, run: () => Result): Result {
  cursor.open.push(tag);
  const result = run();
  cursor.open.pop();
  return result;
}
