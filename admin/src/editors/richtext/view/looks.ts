/** What the toolbar shows of the text at the caret. */
import type { EditorState } from 'prosemirror-state';
import type { RichClass } from '../model/elements.ts';
import { findAround, findClass, hasMark } from './commands.ts';

export interface Looks {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly code: boolean;
  readonly link: boolean;
  readonly bullets: boolean;
  readonly numbers: boolean;
  readonly quote: boolean;
  readonly codeBlock: boolean;
  readonly table: boolean;
  /** Level of the heading; 0 in other texts. */
  readonly level: number;
  readonly className: string;
}

export function readLooks(state: EditorState, classes: readonly RichClass[]): Looks {
  const isIn = (name: string) => findAround(state, ({ type }) => type.name === name) !== undefined;
  const list = findAround(state, ({ type }) => type.name.endsWith('_list'))?.node.type.name;
  const { parent } = state.selection.$from;
  return {
    bold: hasMark(state, 'strong'),
    italic: hasMark(state, 'em'),
    code: hasMark(state, 'code'),
    link: hasMark(state, 'link'),
    bullets: list === 'bullet_list',
    numbers: list === 'ordered_list',
    quote: isIn('blockquote'),
    codeBlock: parent.type.name === 'code_block',
    table: isIn('table'),
    level: parent.type.name === 'heading' ? Number(parent.attrs['level']) : 0,
    className: findClass(
      state,
      classes.map(({ name }) => name),
    ),
  };
}
