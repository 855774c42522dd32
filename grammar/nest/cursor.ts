/** What is shared while a flat list of items is nested: how far it has come, and what is open. */
import type { Node } from '../ast.ts';
import { errorAt, type SourceText } from '../errors.ts';
import type { BlockTag, Item, Tag } from '../items.ts';
import type { PartialBody, PartialUse } from '../partials.ts';
import type { SizeCounter } from '../size.ts';

export interface Cursor {
  /** Nodes up to the tag that ends or divides the innermost block; here, so that single tags need not know each other. */
  readonly nestBody: (cursor: Cursor) => Body;
  readonly items: readonly Item[];
  readonly text: SourceText;
  index: number;
  readonly counter: SizeCounter;
  /** The partials defined or used so far. */
  readonly partials: Map<string, PartialBody>;
  /** Where partials are rendered. */
  readonly uses: PartialUse[];
  /** Blocks that are open, outermost first. */
  readonly open: Opened[];
}

export type Opened = Extract<Tag, { readonly tag: BlockTag }>;

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

/** The body of a block that has only an end tag. */
export function nestSimple(cursor: Cursor, tag: Opened): Enclosed {
  const { nodes, closer } = within(cursor, tag, () => cursor.nestBody(cursor));
  return { body: nodes, end: closer?.end ?? tag.end };
}

/** The same for a block whose end tag may repeat its name. */
export function nestNamed(cursor: Cursor, tag: Opened & { readonly name: string }): Enclosed {
  const { nodes, closer } = within(cursor, tag, () => cursor.nestBody(cursor));
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

/** Runs with the tag as the innermost open one. */
export function within<Result>(cursor: Cursor, tag: Opened, run: () => Result): Result {
  cursor.open.push(tag);
  const result = run();
  cursor.open.pop();
  return result;
}
