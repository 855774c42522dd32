/** Pairs the tags that open with those that close, and makes nodes of them. */
import type { Node, Template } from '../ast.ts';
import { errorAt, type SourceText } from '../errors.ts';
import { type BlockTag, blocks, type Item, type Tag } from '../items.ts';
import { checkPartials } from '../partials.ts';
import { SizeCounter } from '../size.ts';
import type { Body, Cursor } from './cursor.ts';
import { misplaced, neverClosed, unknownTag } from './faults.ts';
import { nestTag } from './tags.ts';

/** Nodes of a flat list of items, and the partials defined among them. @throws TemplateError */
export function nestItems(items: readonly Item[], text: SourceText): Pick<Template, 'body' | 'partials'> {
  const counter = new SizeCounter(text);
  const cursor: Cursor = {
    nestBody,
    items,
    text,
    index: 0,
    counter,
    partials: new Map(),
    uses: [],
    open: [],
  };
  const { nodes } = nestBody(cursor);
  checkPartials(cursor.partials, cursor.uses, counter, text);
  return { body: nodes, partials: new Map([...cursor.partials].map(([name, { body }]) => [name, body])) };
}

function nestBody(cursor: Cursor): Body {
  const nodes: Node[] = [];
  while (cursor.index < cursor.items.length) {
    const item = cursor.items[cursor.index++];
    if (item === undefined || item.kind === 'comment') continue;
    cursor.counter.addItem(item);
    if (item.kind === 'text') appendText(nodes, item);
    else if (item.kind === 'output')
      nodes.push({ type: 'Output', value: item.value, start: item.start, end: item.end });
    else if (item.kind === 'unknown') throw unknownTag(cursor, item);
    else if (closes(cursor, item)) return { nodes, closer: item };
    else {
      const node = nestTag(cursor, item);
      if (node?.type === 'Text') appendText(nodes, node);
      else if (node !== undefined) nodes.push(node);
    }
  }
  const unclosed = cursor.open.at(-1);
  if (unclosed !== undefined) throw neverClosed(cursor, unclosed);
  return { nodes };
}

function appendText(nodes: Node[], item: { value: string; start: number; end: number }): void {
  const previous = nodes.at(-1);
  if (previous?.type !== 'Text')
    nodes.push({ type: 'Text', value: item.value, start: item.start, end: item.end });
  else nodes[nodes.length - 1] = { ...previous, value: previous.value + item.value, end: item.end };
}

/** Whether the tag ends or divides the innermost open block; any other closing tag is an error. */
function closes(cursor: Cursor, tag: Tag): boolean {
  if (!isCloser(tag.tag) && tag.tag !== 'fill') return false;
  const opened = cursor.open.at(-1);
  if (opened !== undefined) {
    const { between, end }: { between: readonly string[]; end: string } = blocks[opened.tag];
    if (tag.tag === end || between.includes(tag.tag)) {
      if (tag.tag === end && 'name' in tag && !('name' in opened) && nameless.has(opened.tag)) {
        throw errorAt(cursor.text, tag.start, `{% ${tag.tag} %} takes no name, unlike {% endblock %}`);
      }
      return true;
    }
  }
  if (tag.tag !== 'fill') throw misplaced(cursor, tag, opened);
  throw errorAt(cursor.text, tag.start, '{% fill %} must stand directly inside {% component %}');
}

/** Tags whose end Django takes as it is, or that Django does not have; what follows other end tags counts for nothing. */
const nameless: ReadonlySet<BlockTag> = new Set(['if', 'component', 'slot', 'fill']);

function isCloser(tag: string): boolean {
  return tag.startsWith('end') || tag === 'elif' || tag === 'else' || tag === 'empty';
}
