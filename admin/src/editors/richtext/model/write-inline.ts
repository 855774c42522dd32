import type { Mark, Node } from 'prosemirror-model';

/** How a format writes what stands in a line. */
export interface InlineWriting {
  leaf(node: Node, isFirst: boolean): string;
  mark(mark: Mark, content: string): string;
}

/** A line of text: marks begin and end around as many nodes as have them. */
export function writeInline(
  nodes: readonly Node[],
  writing: InlineWriting,
  outer: readonly Mark[] = [],
): string {
  let out = '';
  for (let place = 0; place < nodes.length; ) {
    const node = nodes[place];
    if (node === undefined) break;
    const mark = innerMark(node, outer);
    if (mark === undefined) {
      out += writing.leaf(node, place === 0 && outer.length === 0);
      place += 1;
      continue;
    }
    let end = place + 1;
    while (innerMark(nodes[end], outer)?.eq(mark) === true) end += 1;
    out += writing.mark(mark, writeInline(nodes.slice(place, end), writing, [...outer, mark]));
    place = end;
  }
  return out;
}

/** The outermost mark of a node that is not open yet. */
function innerMark(node: Node | undefined, outer: readonly Mark[]): Mark | undefined {
  return node?.marks.find((mark) => !mark.isInSet(outer));
}
