/** What lies over the page, computed from its marks and what the admin has chosen. Nothing is drawn here. */
import type { EditMessage, FramePlace, SelectMessage } from '../messages.ts';
import { emptyLine } from './gaps.ts';
import {
  type BlockMark,
  fieldElement,
  findBox,
  findFrameList,
  isIn,
  type ListMark,
  type Marks,
  outerBlock,
  readOrigin,
} from './marks.ts';
import type { Tone } from './overlay.ts';

export interface Scene {
  readonly marks: Marks;
  readonly setup: EditMessage;
  readonly selection: SelectMessage | undefined;
}

export interface BlockShape {
  readonly box: DOMRect;
  readonly tone: Tone;
  readonly name: string;
}

export interface AddButton {
  readonly label: string;
  readonly left: number;
  readonly top: number;
  readonly place: FramePlace;
}

/** Marks of the chosen blocks; a block that is printed twice has two. */
export function findChosen({ marks: { blocks }, setup, selection }: Scene): readonly BlockMark[] {
  const { ids = [], inner } = selection ?? {};
  const own = ids.flatMap((id) =>
    blocks.filter((block) => block.id === id && readOrigin(block) === setup.origin),
  );
  if (inner === undefined) return own;
  return blocks.filter(
    (block) =>
      block.id === inner &&
      readOrigin(block).startsWith('global:') &&
      own.some((mark) => isIn(mark, block.start)),
  );
}

/** Undefined if nothing of the block is to be seen. */
export function findShape({ setup }: Scene, block: BlockMark): BlockShape | undefined {
  const box = findBox(block);
  return box && { box, tone: toneOf(setup, block), name: setup.names[block.type] ?? block.type };
}

function toneOf(setup: EditMessage, block: BlockMark): Tone {
  const origin = readOrigin(block);
  if (origin.startsWith('global:') || block.type.startsWith('global:')) return 'plum';
  return origin === setup.origin ? 'teal' : 'slate';
}

/** The box of the chosen field in the block that was chosen last. */
export function findFieldBox(block: BlockMark, { selection }: Scene): DOMRect | undefined {
  const field = selection?.field;
  return field === undefined ? undefined : fieldElement(block, field)?.getBoundingClientRect();
}

/** A button in the page if it is empty, and in each empty slot of the chosen block. */
export function addButtons(scene: Scene): readonly AddButton[] {
  const { marks, setup } = scene;
  const chosen = findChosen(scene);
  const empty = marks.lists.filter((list) => {
    if (list.blocks.length > 0 || readOrigin(list) !== setup.origin) return false;
    const owner = outerBlock(list);
    return list.kind === 'list' || (owner !== undefined && chosen.includes(owner));
  });
  const named = empty.flatMap((list) => {
    const name = findFrameList(list);
    return name === undefined ? [] : [{ list, name }];
  });
  return named.map(({ list, name }, index) => {
    const line = emptyLine(list);
    const label = list.kind === 'list' ? setup.texts.addFirst : addLabel(setup, list);
    return { label, left: line.left + 4, top: line.top + index * 28, place: { ...name, before: null } };
  });
}

/** What a button says that adds to a list. */
export function addLabel({ texts, slots }: EditMessage, list: ListMark): string {
  const owner = list.kind === 'slot' ? outerBlock(list) : undefined;
  const slot = findFrameList(list)?.slot ?? '';
  const name = owner === undefined ? texts.page : (slots[`${owner.type}/${slot}`] ?? slot);
  return texts.add.replace('{{name}}', name);
}

/** How far to scroll for a box; not at all if it is seen, or fills the window anyway. */
export function scrollFor({ top, bottom, height }: DOMRect): number {
  if (top >= 0 && bottom <= innerHeight) return 0;
  if (top < innerHeight - 80 && bottom > 80 && height > innerHeight) return 0;
  return top - Math.max(40, (innerHeight - height) / 2);
}
