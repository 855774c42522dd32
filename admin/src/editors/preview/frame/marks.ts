/** The markers of a preview (Core, "Rendering of blocks"), found in the page once after each change of it. */
import type { FrameList, PickedBlock } from '../messages.ts';

interface MarkBase {
  readonly path: string;
  readonly start: Comment;
  readonly end: Comment;
  /** The mark around it. */
  readonly parent: Mark | undefined;
}

export interface BlockMark extends MarkBase {
  readonly kind: 'block';
  readonly id: string;
  /** Name of the type, or `global:<id>`. */
  readonly type: string;
}

/** The output of a tree, or of a slot. */
export interface ListMark extends MarkBase {
  readonly kind: 'list' | 'slot';
  /** Its blocks in order. */
  readonly blocks: readonly BlockMark[];
}

export type Mark = BlockMark | ListMark;

export interface Marks {
  /** In document order. */
  readonly blocks: readonly BlockMark[];
  readonly lists: readonly ListMark[];
}

const opening = /^ic-(block|blocks|slot):(.*)$/s;
const closing = /^\/ic-(?:block|blocks|slot):/;

interface OpenMark {
  readonly kind: Mark['kind'];
  readonly path: string;
  readonly id: string;
  readonly type: string;
  readonly start: Comment;
}

export function findMarks(root: Node): Marks {
  const blocks: BlockMark[] = [];
  const lists: ListMark[] = [];
  // Marks need their end, so a mark is made when it closes; its children have waited for it.
  const open: { readonly mark: OpenMark; readonly made: Made; readonly inner: BlockMark[] }[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Comment)) continue;
    const found = opening.exec(node.data);
    if (found !== null) {
      open.push({ mark: openMark(found, node), made: {}, inner: [] });
    } else if (closing.test(node.data)) {
      const last = open.pop();
      if (last === undefined) continue;
      const { mark, inner } = last;
      const around = open.at(-1);
      const made = {
        path: mark.path,
        start: mark.start,
        end: node,
        get parent() {
          return around?.made.mark;
        },
      };
      if (mark.kind === 'block') {
        const block: BlockMark = Object.assign(made, {
          kind: 'block' as const,
          id: mark.id,
          type: mark.type,
        });
        last.made.mark = block;
        blocks.push(block);
        around?.inner.push(block);
      } else {
        const list: ListMark = Object.assign(made, { kind: mark.kind, blocks: inner });
        last.made.mark = list;
        lists.push(list);
      }
    }
  }
  const inOrder = (left: MarkBase, right: MarkBase) => (isBefore(left.start, right.start) ? -1 : 1);
  return { blocks: blocks.sort(inOrder), lists: lists.sort(inOrder) };
}

interface Made {
  mark?: Mark;
}

function openMark([, word = '', rest = '']: RegExpExecArray, start: Comment): OpenMark {
  if (word !== 'block')
    return { kind: word === 'slot' ? 'slot' : 'list', path: rest, id: '', type: '', start };
  // The path and the type may have colons (`item:news:4:body/0`, `global:7`), the ID has none.
  const [, path = rest, id = '', type = ''] = /^(.*\/\d+):([^:]*):(.*)$/s.exec(rest) ?? [];
  return { kind: 'block', path, id, type, start };
}

function isBefore(left: Node, right: Node): boolean {
  return (left.compareDocumentPosition(right) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

export function isIn(mark: Pick<Mark, 'start' | 'end'>, node: Node): boolean {
  return isBefore(mark.start, node) && isBefore(node, mark.end);
}

/** The innermost block around a node. */
export function blockAround({ blocks }: Marks, node: Node): BlockMark | undefined {
  return blocks.findLast((block) => isIn(block, node));
}

/** The block around a mark. */
export function outerBlock(mark: Mark): BlockMark | undefined {
  let around = mark.parent;
  while (around !== undefined && around.kind !== 'block') around = around.parent;
  return around;
}

/** The blocks around a block and itself, outermost first. */
export function listBlockChain(block: BlockMark | undefined): readonly PickedBlock[] {
  if (block === undefined) return [];
  return [...listBlockChain(outerBlock(block)), { origin: readOrigin(block), id: block.id }];
}

/** Where the tree of a mark comes from: its path up to the first index. */
export function readOrigin({ path }: Mark): string {
  return path.replace(/\/\d+(?:\/.*)?$/s, '');
}

/** A list as the tree names it; undefined for a slot whose block is not there. */
export function findFrameList(list: ListMark): FrameList | undefined {
  if (list.kind === 'list') return { parent: null, slot: '' };
  const [, path, slot = ''] = /^(.*)\/slots\/([^/]*)$/s.exec(list.path) ?? [];
  let owner = outerBlock(list);
  while (owner !== undefined && owner.path !== path) owner = outerBlock(owner);
  return owner === undefined ? undefined : { parent: owner.id, slot };
}

/** The box around everything between the markers; undefined if there is nothing to see. */
export function findBox({ start, end }: Pick<Mark, 'start' | 'end'>): DOMRect | undefined {
  const range = document.createRange();
  range.setStartAfter(start);
  range.setEndBefore(end);
  const box = range.getBoundingClientRect();
  return box.width === 0 && box.height === 0 ? undefined : box;
}

/** Whether blocks lie beside each other. */
export function isRow(boxes: readonly DOMRect[]): boolean {
  return boxes.some((box, index) => {
    const next = boxes[index + 1];
    return next !== undefined && next.left >= box.right - 1 && next.top < box.bottom - 1;
  });
}

/** The parameter whose value an element shows. */
export function fieldAt(element: Element, block: BlockMark | undefined): string | undefined {
  const path = element.closest('[data-ic-field]')?.getAttribute('data-ic-field');
  if (path === undefined || path === null || block === undefined) return undefined;
  return path.startsWith(`${block.path}/`) ? path.slice(block.path.length + 1) : undefined;
}

/** The element that shows a parameter. */
export function fieldElement(block: BlockMark, field: string): Element | undefined {
  const found = document.querySelectorAll(`[data-ic-field="${CSS.escape(`${block.path}/${field}`)}"]`);
  return [...found].find((element) => isIn(block, element));
}

/** Whether two ways lead to the same block. */
export function sameChain(left: readonly PickedBlock[], right: readonly PickedBlock[]): boolean {
  return (
    left.length === right.length &&
    left.every(({ origin, id }, index) => origin === right[index]?.origin && id === right[index]?.id)
  );
}
