/** What the keys and buttons of the editor do. */
import { chainCommands, lift, setBlockType, splitBlockAs, toggleMark, wrapIn } from 'prosemirror-commands';
import type { Attrs, MarkType, Node, NodeType, Schema } from 'prosemirror-model';
import { liftListItem, splitListItem, wrapInList } from 'prosemirror-schema-list';
import type { Command, EditorState, Transaction } from 'prosemirror-state';
import { readAttributes } from '../model/schema.ts';

export function markType(schema: Schema, name: string): MarkType {
  const type = schema.marks[name];
  if (type === undefined) throw new Error(`no mark ${name}`);
  return type;
}

export function nodeType(schema: Schema, name: string): NodeType {
  const type = schema.nodes[name];
  if (type === undefined) throw new Error(`no node ${name}`);
  return type;
}

export function toggle(name: string): Command {
  return (state, dispatch) => toggleMark(markType(state.schema, name))(state, dispatch);
}

/** Whether the text at the caret, or all that is chosen, has a mark. */
export function hasMark({ doc, selection, storedMarks }: EditorState, name: string): boolean {
  const { from, to, empty, $from } = selection;
  const type = markType(doc.type.schema, name);
  return empty ? type.isInSet(storedMarks ?? $from.marks()) !== undefined : doc.rangeHasMark(from, to, type);
}

/** The node of a type around the caret, the innermost first. */
export function findAround(
  { selection: { $from } }: EditorState,
  fits: (node: Node) => boolean,
): { readonly node: Node; readonly position: number } | undefined {
  for (let depth = $from.depth; depth > 0; depth--) {
    const node = $from.node(depth);
    if (fits(node)) return { node, position: $from.before(depth) };
  }
  return undefined;
}

/** A text block of another kind; it keeps what a website has given to it. */
export function setBlock(name: string, attrs: Attrs = {}): Command {
  return (state, dispatch) => setBlockType(nodeType(state.schema, name), attrs)(state, dispatch);
}

const isList = ({ type: { name } }: Node) => name === 'bullet_list' || name === 'ordered_list';

/** Makes a list, makes it another one, or takes its items out. */
export function toggleList(name: 'bullet_list' | 'ordered_list'): Command {
  return (state, dispatch) => {
    const around = findAround(state, isList);
    const type = nodeType(state.schema, name);
    if (around === undefined) return wrapInList(type)(state, dispatch && ((tr) => dispatch(makeBare(tr))));
    if (around.node.type === type) return liftListItem(nodeType(state.schema, 'list_item'))(state, dispatch);
    const { attributes } = around.node.attrs;
    dispatch?.(state.tr.setNodeMarkup(around.position, type, { attributes }));
    return true;
  };
}

/** The texts of a new list are no paragraphs of their own. */
function makeBare(tr: Transaction): Transaction {
  const { $from, $to } = tr.selection;
  tr.doc.nodesBetween($from.pos, $to.pos, (node, position, parent) => {
    if (node.type.name === 'paragraph' && parent?.type.name === 'list_item' && parent.firstChild === node)
      tr.setNodeAttribute(position, 'isBare', true);
  });
  return tr;
}

export function toggleQuote(state: EditorState, dispatch?: (tr: Transaction) => void): boolean {
  const quote = nodeType(state.schema, 'blockquote');
  const isQuoted = findAround(state, ({ type }) => type === quote) !== undefined;
  return (isQuoted ? lift : wrapIn(quote))(state, dispatch);
}

/** Enter in a list: the next item is like the one before. */
const splitItem: Command = (state, dispatch) => {
  const isBare = state.selection.$from.parent.attrs['isBare'] === true;
  const split = splitListItem(nodeType(state.schema, 'list_item'));
  return split(
    state,
    dispatch &&
      ((tr) => {
        const { $from } = tr.selection;
        if (isBare && $from.parent.type.name === 'paragraph')
          tr.setNodeAttribute($from.before(), 'isBare', true);
        dispatch(tr);
      }),
  );
};

/** Enter in a text: the second half has no ID, which the first one keeps. */
const splitText = splitBlockAs((node, isAtEnd) => {
  if (isAtEnd) return null;
  const attributes = readAttributes(node.attrs).filter(([name]) => name !== 'id');
  return { type: node.type, attrs: { ...node.attrs, attributes } };
});

export const enter: Command = chainCommands(splitItem, splitText);

export const insertBreak: Command = (state, dispatch) => {
  const { name } = state.selection.$from.parent.type;
  if (name === 'code_block') return false;
  // A heading of Markdown is one line.
  const markup =
    name === 'heading' || findAround(state, ({ type }) => type.name === 'table') ? '<br>' : '\\\n';
  const node = nodeType(state.schema, 'hard_break').create({ markup });
  dispatch?.(state.tr.replaceSelectionWith(node).scrollIntoView());
  return true;
};

/** A table with a row of heads. */
export const insertTable: Command = (state, dispatch) => {
  const { schema } = state;
  const cell = (name: string) => schema.node(name, null, schema.node('paragraph', { isBare: true }));
  const row = (name: string, section: string) =>
    schema.node('table_row', { section }, [cell(name), cell(name), cell(name)]);
  const table = schema.node('table', null, [
    row('table_header', 'thead'),
    row('table_cell', 'tbody'),
    row('table_cell', 'tbody'),
  ]);
  if (findAround(state, ({ type }) => type.name === 'table') !== undefined) return false;
  dispatch?.(state.tr.replaceSelectionWith(table).scrollIntoView());
  return true;
};

/** Places of new marks, behind those that are read. */
let nextPlace = 1_000_000;

/** Gives the chosen words a class of the website, or the block at the caret; undefined takes the class away. */
export function setClass(name: string | undefined, names: readonly string[]): Command {
  return (state, dispatch) => {
    const { selection, schema, tr } = state;
    const isMarkdown = schema.nodes['table_cell']?.spec.content === 'paragraph';
    if (selection.empty && isMarkdown) return false;
    if (selection.empty) {
      const { $from } = selection;
      if ($from.depth === 0) return false;
      const attributes = withClass(readAttributes($from.parent.attrs), name, names);
      tr.setNodeAttribute($from.before(), 'attributes', attributes);
      // A class needs an element.
      if (name !== undefined && $from.parent.type.name === 'paragraph' && $from.depth === 1)
        tr.setNodeAttribute($from.before(), 'isBare', false);
    } else {
      const keep = markType(schema, 'keep');
      for (const mark of keptWith(state, names)) tr.removeMark(selection.from, selection.to, mark);
      const attributes = [['class', name]];
      if (name !== undefined)
        tr.addMark(
          selection.from,
          selection.to,
          keep.create({ tag: 'span', attributes, place: nextPlace++ }),
        );
    }
    dispatch?.(tr);
    return true;
  };
}

function keptWith({ doc, selection: { from, to } }: EditorState, names: readonly string[]) {
  const found = new Set<Parameters<Transaction['removeMark']>[2] & object>();
  doc.nodesBetween(from, to, ({ marks }) => {
    for (const mark of marks)
      if (mark.type.name === 'keep' && names.includes(classOf(mark.attrs))) found.add(mark);
  });
  return found;
}

function classOf(attrs: Attrs): string {
  return new Map(readAttributes(attrs)).get('class') ?? '';
}

/** The class of the website at the caret; empty if there is none. */
export function findClass({ selection: { $from } }: EditorState, names: readonly string[]): string {
  const marked = $from.marks().map(({ attrs }) => classOf(attrs));
  const own = classOf($from.parent.attrs).split(/\s+/);
  return [...marked, ...own].find((name) => names.includes(name)) ?? '';
}

function withClass(
  attributes: ReturnType<typeof readAttributes>,
  name: string | undefined,
  names: readonly string[],
) {
  const others = classOf({ attributes })
    .split(/\s+/)
    .filter((own) => own !== '' && !names.includes(own));
  const classes = [...others, ...(name === undefined ? [] : [name])].join(' ');
  const rest = attributes.filter(([key]) => key !== 'class');
  return classes === '' ? rest : [...rest, ['class', classes] as const];
}
