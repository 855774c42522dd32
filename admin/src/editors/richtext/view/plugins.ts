/** Keys of the editor, and signs of Markdown that become what they mean while they are typed. */
import { baseKeymap, exitCode, selectParentNode } from 'prosemirror-commands';
import { history, redo, undo } from 'prosemirror-history';
import {
  InputRule,
  inputRules,
  textblockTypeInputRule,
  undoInputRule,
  wrappingInputRule,
} from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import type { Schema } from 'prosemirror-model';
import { liftListItem, sinkListItem } from 'prosemirror-schema-list';
import { type Command, Plugin } from 'prosemirror-state';
import { goToNextCell, tableEditing } from 'prosemirror-tables';
import { findWrapping } from 'prosemirror-transform';
import type { Allowed, RichElement } from '../model/elements.ts';
import {
  enter,
  findAround,
  insertBreak,
  markType,
  nodeType,
  setBlock,
  toggle,
  toggleList,
  toggleQuote,
} from './commands.ts';

export interface EditorActions {
  openLink(): void;
  focusToolbar(): void;
}

export function createPlugins(schema: Schema, allowed: Allowed, actions: () => EditorActions): Plugin[] {
  return [
    inputRules({ rules: createRules(schema, allowed) }),
    keymap(createKeys(schema, allowed, actions)),
    // Ctrl+Enter publishes.
    keymap(Object.fromEntries(Object.entries(baseKeymap).filter(([key]) => key !== 'Mod-Enter'))),
    history(),
    tableEditing(),
    bareCells,
  ];
}

function createKeys(
  schema: Schema,
  { elements }: Allowed,
  actions: () => EditorActions,
): Record<string, Command> {
  const item = nodeType(schema, 'list_item');
  const act = (run: (actions: EditorActions) => void): Command => {
    return () => {
      run(actions());
      return true;
    };
  };
  const all: readonly (readonly [element: RichElement | undefined, key: string, command: Command])[] = [
    [undefined, 'Enter', enter],
    [undefined, 'Shift-Enter', insertBreak],
    [undefined, 'Backspace', undoInputRule],
    [undefined, 'Mod-z', undo],
    [undefined, 'Mod-y', redo],
    [undefined, 'Shift-Mod-z', redo],
    [undefined, 'Alt-F10', act(({ focusToolbar }) => focusToolbar())],
    [undefined, 'Alt-ArrowUp', selectParentNode],
    [undefined, 'Tab', either(goToNextCell(1), sinkListItem(item))],
    [undefined, 'Shift-Tab', either(goToNextCell(-1), liftListItem(item))],
    ['bold', 'Mod-b', toggle('strong')],
    ['italic', 'Mod-i', toggle('em')],
    ['link', 'Mod-k', act(({ openLink }) => openLink())],
    ['code', 'Mod-Shift-c', toggle('code')],
    ['code', 'Shift-Enter', exitCode],
    ['lists', 'Mod-Shift-7', toggleList('ordered_list')],
    ['lists', 'Mod-Shift-8', toggleList('bullet_list')],
    ['quote', 'Mod-Shift-9', toggleQuote],
    ['headings', 'Mod-Alt-0', setBlock('paragraph')],
    ...[1, 2, 3, 4, 5, 6].map(
      (level) => ['headings', `Mod-Alt-${level}`, setBlock('heading', { level })] as const,
    ),
  ];
  const keys: Record<string, Command> = {};
  for (const [element, key, command] of all) {
    if (element !== undefined && !elements.has(element)) continue;
    const other = keys[key];
    keys[key] = other === undefined ? command : either(command, other);
  }
  return keys;
}

function either(first: Command, second: Command): Command {
  return (state, dispatch, view) => first(state, dispatch, view) || second(state, dispatch, view);
}

function createRules(schema: Schema, { elements }: Allowed): InputRule[] {
  const node = (name: string) => nodeType(schema, name);
  const rules: readonly (readonly [RichElement, InputRule])[] = [
    [
      'headings',
      textblockTypeInputRule(/^(#{1,6})\s$/, node('heading'), ([, marks = '']) => ({ level: marks.length })),
    ],
    ['lists', listRule(schema, /^\s*[-+*]\s$/, 'bullet_list')],
    ['lists', listRule(schema, /^\s*(\d{1,9})[.)]\s$/, 'ordered_list')],
    ['quote', wrappingInputRule(/^\s*>\s$/, node('blockquote'))],
    ['code', textblockTypeInputRule(/^```(\w*)\s$/, node('code_block'), ([, info = '']) => ({ info }))],
    ['bold', markRule(schema, /(?:^|[^*])(\*\*([^*\s](?:[^*]*[^*\s])?)\*\*)$/, 'strong')],
    ['bold', markRule(schema, /(?:^|[^_\w])(__([^_\s](?:[^_]*[^_\s])?)__)$/, 'strong')],
    ['italic', markRule(schema, /(?:^|[^*])(\*([^*\s](?:[^*]*[^*\s])?)\*)$/, 'em')],
    ['italic', markRule(schema, /(?:^|[^_\w])(_([^_\s](?:[^_]*[^_\s])?)_)$/, 'em')],
    ['code', markRule(schema, /(?:^|[^`])(`([^`]+)`)$/, 'code')],
    ['link', linkRule(schema)],
  ];
  return rules.filter(([element]) => elements.has(element)).map(([, rule]) => rule);
}

/** A list whose texts are no paragraphs of their own. One that follows another joins it. */
function listRule(schema: Schema, pattern: RegExp, name: 'bullet_list' | 'ordered_list'): InputRule {
  return new InputRule(pattern, (state, match, start, end) => {
    if (findAround(state, ({ type }) => type.name === 'list_item') !== undefined) return null;
    const tr = state.tr.delete(start, end);
    const range = tr.doc.resolve(start).blockRange();
    const order = Number(match[1] ?? 1);
    const type = nodeType(schema, name);
    const wrapping = range && findWrapping(range, type, name === 'ordered_list' ? { order } : {});
    if (range === null || wrapping === null || wrapping === undefined) return null;
    tr.wrap(range, wrapping).setNodeAttribute(range.start + 2, 'isBare', true);
    if (tr.doc.resolve(range.start).nodeBefore?.type === type) tr.join(range.start);
    return tr;
  });
}

/** @param pattern first group: the text with its signs; second group: the text */
function markRule(schema: Schema, pattern: RegExp, name: string): InputRule {
  return new InputRule(pattern, (state, [, whole = '', text = ''], _start, end) => {
    const type = markType(schema, name);
    if (!state.selection.$from.parent.type.allowsMarkType(type)) return null;
    // The last sign is not in the document yet.
    const start = end - whole.length + 1;
    const width = (whole.length - text.length) / 2;
    const { tr } = state;
    tr.delete(start + width + text.length, end);
    tr.delete(start, start + width);
    tr.addMark(start, start + text.length, type.create());
    return tr.removeStoredMark(type);
  });
}

function linkRule(schema: Schema): InputRule {
  return new InputRule(
    /(?:^|[^!])(\[([^[\]]+)\]\((\S+)\))$/,
    (state, [, whole = '', text = '', href = ''], _start, end) => {
      const start = end - whole.length + 1;
      const link = markType(schema, 'link').create({ href });
      return state.tr.replaceWith(start, end, schema.text(text, [link])).removeStoredMark(link.type);
    },
  );
}

/** New cells hold their text without a paragraph around it, like those that are read. */
const bareCells = new Plugin({
  appendTransaction(transactions, _before, state) {
    if (!transactions.some(({ docChanged }) => docChanged)) return null;
    const table = findAround(state, ({ type }) => type.name === 'table');
    if (table === undefined) return null;
    const { tr } = state;
    table.node.descendants((node, offset, parent) => {
      const isCell =
        parent?.type.spec['tableRole'] === 'cell' || parent?.type.spec['tableRole'] === 'header_cell';
      if (
        isCell &&
        parent.childCount === 1 &&
        node.type.name === 'paragraph' &&
        node.childCount === 0 &&
        node.attrs['isBare'] !== true
      )
        tr.setNodeAttribute(table.position + 1 + offset, 'isBare', true);
      return node.type.spec['tableRole'] !== undefined;
    });
    return tr.docChanged ? tr : null;
  },
});
