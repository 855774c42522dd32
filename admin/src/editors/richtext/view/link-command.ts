/** Links of the editor: the one at the caret, and what a dialog makes of it. */
import type { EditorState, Transaction } from 'prosemirror-state';
import { markType } from './commands.ts';

export interface LinkTarget {
  readonly from: number;
  readonly to: number;
  /** Empty where there is no link yet. */
  readonly href: string;
  /** The words that lead there. */
  readonly text: string;
}

/** The link around the caret, or what is chosen for one. */
export function findLink({ doc, selection }: EditorState): LinkTarget {
  const { from, to, $from } = selection;
  const type = markType(doc.type.schema, 'link');
  const parent = $from.parent;
  const start = $from.start();
  const links: LinkTarget[] = [];
  parent.forEach((node, offset) => {
    const mark = type.isInSet(node.marks);
    if (mark === undefined) return;
    const [begin, end] = [start + offset, start + offset + node.nodeSize];
    const href = String(mark.attrs['href']);
    const last = links.at(-1);
    if (last?.to === begin && last.href === href)
      links[links.length - 1] = { ...last, to: end, text: last.text + node.textContent };
    else links.push({ from: begin, to: end, href, text: node.textContent });
  });
  const found = links.find((link) => link.from <= from && link.to >= to);
  if (found !== undefined) return found;
  return { from, to, href: '', text: doc.textBetween(from, to, ' ') };
}

/** @param text of a link that has none yet; else the words stay as they are */
export function setLink({ from, to, text: before }: LinkTarget, href: string, text: string) {
  return (state: EditorState, dispatch?: (tr: Transaction) => void): boolean => {
    const { tr, schema } = state;
    const type = markType(schema, 'link');
    if (before !== text) {
      const marks = state.doc
        .resolve(from)
        .marks()
        .filter((mark) => mark.type !== type);
      tr.replaceWith(from, to, schema.text(text, marks));
    }
    const end = before === text ? to : from + text.length;
    changeLinks(tr, from, end, href);
    dispatch?.(tr.removeStoredMark(type).scrollIntoView());
    return true;
  };
}

/** A link that is there keeps its attributes. */
function changeLinks(tr: Transaction, from: number, to: number, href: string): void {
  const type = markType(tr.doc.type.schema, 'link');
  let attrs: Readonly<Record<string, unknown>> = {};
  tr.doc.nodesBetween(from, to, ({ marks }) => {
    attrs = type.isInSet(marks)?.attrs ?? attrs;
  });
  tr.addMark(from, to, type.create({ ...attrs, href }));
}

export function removeLink({ from, to }: LinkTarget) {
  return (state: EditorState, dispatch?: (tr: Transaction) => void): boolean => {
    dispatch?.(state.tr.removeMark(from, to, markType(state.schema, 'link')));
    return true;
  };
}
