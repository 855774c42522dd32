/** What can be done with the chosen blocks. Each is one step that can be undone. */
import type { BlockType, GlobalBlock } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import { pasteInto } from '../model/clipboard.ts';
import { firstToFill, formatBlockLabel, newBlock } from '../model/labels.ts';
import type { Refusal } from '../model/rules.ts';
import {
  type Block,
  type BlockTree,
  changeBlock,
  findPlace,
  insertBlocks,
  isReference,
  type List,
  listAt,
  moveBlocks,
  newId,
  outermost,
  overlaid,
  type Place,
  removeBlocks,
  rootList,
  setOverride,
  setParam,
  toBlockTree,
  withNewIds,
} from '../model/tree.ts';
import type { BlockEditing, ShownBlock } from './editing.ts';

/** Where something new goes: after the last chosen block, else at the end. */
export function placeAfterChosen({ tree, selection }: BlockEditing): Place {
  const last = selection.ids.at(-1);
  const place = last === undefined ? undefined : findPlace(tree, last);
  return place === undefined ? { ...rootList, index: tree.length } : { ...place, index: place.index + 1 };
}

/** Adds a block of a type; its first open parameter gets the focus. */
export function addType(editing: BlockEditing, place: Place, type: BlockType): void {
  const block = newBlock(type, newId());
  const selection = { ids: [block.id], field: firstToFill(type) };
  editing.change(insertBlocks(editing.tree, place, [block]), selection);
  editing.announce(t('blocks.added', { name: type.label }));
}

export function addGlobal(editing: BlockEditing, place: Place, global: GlobalBlock): void {
  const block = { id: newId(), global: global.id };
  editing.change(insertBlocks(editing.tree, place, [block]), { ids: [block.id] });
  editing.announce(t('blocks.added', { name: global.name }));
}

/** Takes the chosen blocks out; the next one is chosen, else the one before or around. */
export function removeChosen(editing: BlockEditing): void {
  const { tree } = editing;
  const ids = new Set(editing.selection.ids);
  const blocks = outermost(tree, ids);
  const last = blocks.at(-1);
  const place = last === undefined ? undefined : findPlace(tree, last.id);
  if (last === undefined || place === undefined) return;
  const siblings = listAt(tree, place);
  const next =
    siblings.slice(place.index + 1).find(({ id }) => !ids.has(id)) ??
    siblings.slice(0, place.index).findLast(({ id }) => !ids.has(id));
  const nextId = next?.id ?? place.parent;
  editing.change(removeBlocks(tree, ids), { ids: nextId === null ? [] : [nextId] });
  editing.announce(t('blocks.removed', { count: blocks.length }));
}

/** Puts copies behind the chosen blocks. */
export function duplicateChosen(editing: BlockEditing): void {
  const copies = withNewIds(outermost(editing.tree, new Set(editing.selection.ids)));
  if (copies.length === 0) return;
  editing.change(insertBlocks(editing.tree, placeAfterChosen(editing), copies), {
    ids: copies.map(({ id }) => id),
  });
  editing.announce(t('blocks.duplicated', { count: copies.length }));
}

export function canDuplicate(editing: BlockEditing): boolean {
  const blocks = outermost(editing.tree, new Set(editing.selection.ids));
  return blocks.length > 0 && editing.refusal(placeAfterChosen(editing), blocks) === undefined;
}

/** Moves the chosen blocks. @param place counts blocks as they are before the move */
export function moveChosen(editing: BlockEditing, place: Place): void {
  const ids = new Set(editing.selection.ids);
  const blocks = outermost(editing.tree, ids);
  const refused = editing.refusal(place, blocks, ids);
  if (refused !== undefined) {
    editing.announce(refusalText(refused));
    return;
  }
  editing.change(moveBlocks(editing.tree, ids, place), { ids: editing.selection.ids });
  const [first] = blocks;
  const at = first === undefined ? undefined : findPlace(editing.tree, first.id);
  if (at === undefined) return;
  editing.announce(t('blocks.dropped', { position: at.index + 1, count: listAt(editing.tree, at).length }));
}

/** Moves the chosen blocks among their siblings. */
export function moveChosenBy(editing: BlockEditing, by: 1 | -1): void {
  const blocks = outermost(editing.tree, new Set(editing.selection.ids));
  const edge = by > 0 ? blocks.at(-1) : blocks[0];
  const place = edge === undefined ? undefined : findPlace(editing.tree, edge.id);
  if (place === undefined) return;
  const index = by > 0 ? place.index + 2 : place.index - 1;
  if (index < 0 || index > listAt(editing.tree, place).length) return;
  moveChosen(editing, { ...place, index });
}

/** Puts copied blocks behind the chosen one, or into its first slot that takes them. */
export function paste(editing: BlockEditing, copied: BlockTree, at?: Place): void {
  const places = at === undefined ? [placeAfterChosen(editing), ...slotsOfChosen(editing)] : [at];
  const [best] = places
    .map((place) => ({ place, pasted: pasteInto(editing.facts, editing.tree, place, copied) }))
    .toSorted((left, right) => left.pasted.leftOut - right.pasted.leftOut);
  if (best === undefined) return;
  const { blocks, leftOut } = best.pasted;
  if (blocks.length > 0)
    editing.change(insertBlocks(editing.tree, best.place, blocks), { ids: blocks.map(({ id }) => id) });
  const left = leftOut === 0 ? '' : t('blocks.leftOut', { count: leftOut });
  editing.announce(`${t('blocks.pasted', { count: blocks.length })} ${left}`);
}

function slotsOfChosen(editing: BlockEditing): readonly Place[] {
  const block = editing.chosen().at(-1);
  if (block === undefined || isReference(block)) return [];
  return (editing.facts.types.get(block.type)?.slots ?? []).map(({ name }) => ({
    parent: block.id,
    slot: name,
    index: listAt(editing.tree, { parent: block.id, slot: name }).length,
  }));
}

/** Sets a value; undefined takes it back to its default, or to that of the global block. */
export function setValue(
  editing: BlockEditing,
  { id, inner }: ShownBlock,
  name: string,
  value: unknown,
): void {
  const { tree, selection } = editing;
  const next =
    inner === undefined
      ? setParam(tree, id, name, value ?? undefined)
      : setOverride(tree, { id, inner, name }, value);
  const isSame = selection.ids.at(-1) === id && selection.inner === inner;
  editing.change(next, isSame ? { ...selection, field: name } : selection, `${id} ${inner ?? ''} ${name}`);
}

/** The values of a block with those of this place. */
export function computeBlockValues(
  editing: BlockEditing,
  shown: ShownBlock,
): Readonly<Record<string, unknown>> {
  const block = editing.find(shown);
  if (block === undefined || isReference(block)) return {};
  return shown.inner === undefined ? block.params : { ...block.params, ...readOverrides(editing, shown) };
}

/** What this place of a global block has changed in one of its blocks. */
export function readOverrides(editing: BlockEditing, { id, inner = '' }: ShownBlock) {
  const reference = editing.find({ id });
  return reference === undefined || !isReference(reference) ? {} : (reference.overrides?.[inner] ?? {});
}

/** Takes back everything that this place of a global block has changed. */
export function resetOverrides(editing: BlockEditing, id: string): void {
  const next = changeBlock(editing.tree, id, (block) =>
    isReference(block) ? { id: block.id, global: block.global } : block,
  );
  editing.change(next);
}

/** Puts blocks of their own in place of a global block, as it looks here. */
export function detach(editing: BlockEditing, id: string): void {
  const place = findPlace(editing.tree, id);
  const block = editing.find({ id });
  if (place === undefined || block === undefined || !isReference(block)) return;
  const inner = toBlockTree(editing.facts.globals.get(block.global)?.blocks);
  const blocks = withNewIds(overlaid(inner, block.overrides));
  const without = removeBlocks(editing.tree, new Set([id]));
  editing.change(insertBlocks(without, place, blocks), { ids: blocks.map((copy) => copy.id) });
}

/** Puts a reference to a new global block in place of the chosen blocks, which it is made of. */
export function replaceByGlobal(editing: BlockEditing, global: GlobalBlock): void {
  const ids = new Set(editing.selection.ids);
  const [first] = outermost(editing.tree, ids);
  const place = first === undefined ? undefined : findPlace(editing.tree, first.id);
  if (place === undefined) return;
  const reference: Block = { id: newId(), global: global.id };
  const inserted = insertBlocks(editing.tree, place, [reference]);
  editing.change(removeBlocks(inserted, ids), { ids: [reference.id] });
}

/** Why blocks may not stand somewhere, in a sentence. */
export function refusalText(refused: Refusal): string {
  const { reason, ...values } = refused;
  return t(`blocks.refused.${reason}`, values);
}

/** The name of a list for people. */
export function listName(editing: BlockEditing, list: List): string {
  const owner = list.parent === null ? undefined : editing.find({ id: list.parent });
  if (owner === undefined || isReference(owner)) return t('blocks.page');
  const slot = editing.facts.types.get(owner.type)?.slots.find(({ name }) => name === list.slot);
  return `${formatBlockLabel(editing.facts, owner).type}: ${slot?.label ?? list.slot}`;
}
