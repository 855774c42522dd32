/** Pairs opening tags with end tags, and makes nodes of them. */
import type { Node, Template } from '../ast.ts';
import { errorAt, type SourceText } from '../errors.ts';
import { type Item, type PairedTag, pairedTags, type Tag } from '../items.ts';
import { checkPartials, type PartialBody } from '../partials.ts';
import { SizeCounter } from '../size.ts';
import type { Body, Cursor } from './cursor.ts';
import { misplaced, neverClosed, unknownTag } from './faults.ts';
import { nestTag } from './tags.ts';

/** Nodes of a flat list of items, and the partials defined among them. @throws TemplateError */
export function nestItems(items: readonly Item[], text: SourceText): Pick<Template, 'body' | 'partials'> {
  const counter = new SizeCounter(text);
  // Not written into the object, because V8 makes one with lists in it in many steps.
  const uses: Cursor['uses'] = [];
  const open: Cursor['open'] = [];
  const cursor: Cursor = { nestBody, items, text, index: 0, counter, partials: new Map(), uses, open };
  const { nodes } = nestBody(cursor);
  checkPartials(cursor.partials, cursor.uses, counter, text);
  return { body: nodes, partials: bodiesOf(cursor.partials) };
}

function bodiesOf(partials: ReadonlyMap<string, PartialBody>): Template['partials'] {
  return partials.size === 0 ? none : new Map([...partials].map(([name, { body }]) => [name, body]));
}

const none: Template['partials'] = new Map();

function nestBody(cursor: Cursor): Body {
  const nodes: Node[] = [];
  while (cursor.index < cursor.items.length) {
    const item = cursor.items[cursor.index++];
    if (item === undefined) continue;
    cursor.counter.addItem(item);
    if ('type' in item) append(nodes, item);
    else if (item.kind === 'unknown') throw unknownTag(cursor, item);
    else if (item.kind === 'tag') {
      if (closes(cursor, item)) return { nodes, closer: item };
      const node = nestTag(cursor, item);
      if (node !== undefined) nodes.push(node);
    }
  }
  const unclosed = cursor.open.at(-1);
  if (unclosed !== undefined) throw neverClosed(cursor, unclosed);
  return { nodes };
}

/** Joins neighbouring texts into one node. */
function append(nodes: Node[], node: Node): void {
  const previous = nodes[nodes.length - 1];
  if (node.type !== 'Text' || previous?.type !== 'Text') nodes.push(node);
  else nodes[nodes.length - 1] = { ...previous, value: previous.value + node.value, end: node.end };
}

/** Whether the tag ends or divides the innermost open tag; any other closing tag is an error. */
function closes(cursor: Cursor, tag: Tag): boolean {
  if (!isCloser(tag.tag) && tag.tag !== 'fill') return false;
  const opened = cursor.open.at(-1);
  if (opened !== undefined) {
    const { between, end }: { between: readonly string[]; end: string } = pairedTags[opened.tag];
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

/**
 * Paired tags whose end tag takes no name: Django refuses a name there, or does not have the tag. For all
 * other paired tags without a name of their own, a name in the end tag is ignored.
 */
const nameless: ReadonlySet<PairedTag> = new Set(['if', 'component', 'slot', 'fill']);

function isCloser(tag: string): boolean {
  return tag.startsWith('end') || tag === 'elif' || tag === 'else' || tag === 'empty';
}
