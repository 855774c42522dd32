/** Paired tags with a body that other tags divide: `if`, `for`, `ifchanged`. */
import type { Node } from '../ast.ts';
import { errorAt } from '../errors.ts';
import { pairedTags } from '../items.ts';
import { type Cursor, type PairedStartTag, runInsideTag } from './cursor.ts';

export function nestIf(cursor: Cursor, tag: PairedStartTag & { tag: 'if' }): Node {
  const branches: { test: typeof tag.test; body: Node[] }[] = [];
  let otherwise: Node[] | undefined;
  let test: typeof tag.test | undefined = tag.test;
  let end = tag.end;
  runInsideTag(cursor, tag, () => {
    for (;;) {
      const { nodes, closer } = cursor.nestBody(cursor);
      if (test === undefined) otherwise = nodes;
      else branches.push({ test, body: nodes });
      if (closer === undefined) return;
      end = closer.end;
      if (closer.tag === 'endif') return;
      if (otherwise !== undefined) {
        throw errorAt(
          cursor.text,
          closer.start,
          `{% ${closer.tag} %} after {% else %}, expected {% endif %}`,
        );
      }
      test = closer.tag === 'elif' ? closer.test : undefined;
    }
  });
  // Written out twice, because V8 defines fields after a spread one by one.
  const { start } = tag;
  return otherwise === undefined
    ? { type: 'If', branches, start, end }
    : { type: 'If', branches, start, end, otherwise };
}

export function nestFor(cursor: Cursor, tag: PairedStartTag & { tag: 'for' }): Node {
  const { targets, iterable, reversed, start } = tag;
  const { first, second, end } = nestTwoParts(cursor, tag, 'a second {% empty %} in the same {% for %}');
  const node = { type: 'For', targets, iterable, reversed, body: first, start, end } as const;
  return second === undefined ? node : { ...node, empty: second };
}

export function nestIfChanged(cursor: Cursor, tag: PairedStartTag & { tag: 'ifchanged' }): Node {
  const { values, start } = tag;
  const { first, second, end } = nestTwoParts(cursor, tag, 'a second {% else %}');
  const node = { type: 'IfChanged', values, body: first, start, end } as const;
  return second === undefined ? node : { ...node, otherwise: second };
}

/**
 * The bodies of a paired tag that one other tag may split in two; `second` is undefined without that tag.
 * @param dividedAgain error text for a second dividing tag
 */
function nestTwoParts(
  cursor: Cursor,
  tag: PairedStartTag,
  dividedAgain: string,
): { readonly first: Node[]; readonly second: Node[] | undefined; readonly end: number } {
  const closing = pairedTags[tag.tag].end;
  const parts: Node[][] = [];
  let end = tag.end;
  runInsideTag(cursor, tag, () => {
    for (;;) {
      const { nodes, closer } = cursor.nestBody(cursor);
      parts.push(nodes);
      if (closer === undefined) return;
      end = closer.end;
      if (closer.tag === closing) return;
      if (parts.length > 1) {
        throw errorAt(cursor.text, closer.start, `${dividedAgain}, expected {% ${closing} %}`);
      }
    }
  });
  const [first = [], second] = parts;
  return { first, second, end };
}
