import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import type { Command } from '../../../commands/command.ts';
import { blocksFromText, blocksToText } from '../model/clipboard.ts';
import { findPlace, isReference, listAt, outermost, type Place, rootList } from '../model/tree.ts';
import {
  canDuplicate,
  detach,
  duplicateChosen,
  moveChosenBy,
  paste,
  placeAfterChosen,
  removeChosen,
} from './actions.ts';
import type { BlockEditing } from './editing.ts';

/** Parts of the editor that commands open. */
export interface EditorParts {
  insertAt(place: Place): void;
  /** Starts a move by keys. */
  startMove(): void;
  makeGlobal(): void;
}

export type BlockCommands = ReturnType<typeof blockCommands>;

/** Where the last copy is kept, for windows of this browser and for menus, which cannot read the clipboard. */
const copyKey = 'ic-copied-blocks';

/** Everything that can be done with blocks. */
export function blockCommands(editing: BlockEditing, parts: EditorParts) {
  const isChosen = () => editing.selection.ids.length > 0 && editing.selection.inner === undefined;
  const reference = () => {
    const [block] = editing.selection.ids.length === 1 ? editing.chosen() : [];
    return block !== undefined && isReference(block) ? block : undefined;
  };
  const remove: Command = {
    id: 'block.remove',
    label: 'blocks.remove',
    icon: 'trash',
    tone: 'danger',
    localKeys: 'Delete',
    can: isChosen,
    run: () => removeChosen(editing),
  };
  const copy: Command = {
    id: 'block.copy',
    label: 'blocks.copy',
    icon: 'copy',
    localKeys: 'mod+C',
    can: isChosen,
    run: () => {
      const copied = copiedText(editing);
      localStorage.setItem(copyKey, copied);
      // Only pages over HTTPS and on this computer may write to the clipboard.
      void navigator.clipboard?.writeText(copied);
      editing.announce(t('blocks.copied', { count: outermost(editing.tree, chosenIds(editing)).length }));
    },
  };
  return {
    remove,
    copy,
    insert: {
      id: 'block.insert',
      label: 'blocks.insert',
      icon: 'plus',
      localKeys: '/',
      run: () => parts.insertAt(placeAfterChosen(editing)),
    },
    undo: {
      id: 'block.undo',
      label: 'blocks.undo',
      icon: 'arrow-counter-clockwise',
      keys: 'mod+Z',
      can: () => editing.canUndo,
      run: () => editing.undo(),
    },
    redo: {
      id: 'block.redo',
      label: 'blocks.redo',
      icon: 'arrow-clockwise',
      keys: 'mod+Shift+Z mod+Y',
      can: () => editing.canRedo,
      run: () => editing.redo(),
    },
    duplicate: {
      id: 'block.duplicate',
      label: 'blocks.duplicate',
      icon: 'copy-simple',
      keys: 'mod+D',
      can: () => isChosen() && canDuplicate(editing),
      run: () => duplicateChosen(editing),
    },
    cut: {
      id: 'block.cut',
      label: 'blocks.cut',
      icon: 'scissors',
      localKeys: 'mod+X',
      can: isChosen,
      run: () => {
        void copy.run();
        removeChosen(editing);
      },
    },
    paste: {
      id: 'block.paste',
      label: 'blocks.paste',
      icon: 'clipboard-text',
      localKeys: 'mod+V',
      can: () => localStorage.getItem(copyKey) !== null,
      run: () => {
        pasteText(editing, localStorage.getItem(copyKey) ?? '');
      },
    },
    moveUp: {
      id: 'block.moveUp',
      label: 'blocks.moveUp',
      icon: 'arrow-up',
      localKeys: 'Alt+ArrowUp',
      can: isChosen,
      run: () => moveChosenBy(editing, -1),
    },
    moveDown: {
      id: 'block.moveDown',
      label: 'blocks.moveDown',
      icon: 'arrow-down',
      localKeys: 'Alt+ArrowDown',
      can: isChosen,
      run: () => moveChosenBy(editing, 1),
    },
    move: {
      id: 'block.move',
      label: 'blocks.move',
      icon: 'arrows-out-cardinal',
      localKeys: 'M',
      can: isChosen,
      run: () => parts.startMove(),
    },
    makeGlobal: {
      id: 'block.makeGlobal',
      label: 'blocks.makeGlobal',
      icon: 'globe-simple',
      can: () => isChosen() && reference() === undefined && editing.facts.ownGlobal === undefined,
      run: () => parts.makeGlobal(),
    },
    detach: {
      id: 'block.detach',
      label: 'blocks.detach',
      icon: 'link-break',
      can: () => reference() !== undefined,
      run: () => {
        const block = reference();
        if (block !== undefined) detach(editing, block.id);
      },
    },
    openGlobal: {
      id: 'block.openGlobal',
      label: 'blocks.openGlobal',
      icon: 'pencil-simple',
      can: () => reference() !== undefined,
      run: () => {
        const block = reference();
        if (block !== undefined) goTo(paths.globalBlock(block.global));
      },
    },
    selectAll: {
      id: 'block.selectAll',
      label: 'blocks.selectAll',
      icon: 'check',
      run: () => {
        const last = editing.selection.ids.at(-1);
        const place = last === undefined ? undefined : findPlace(editing.tree, last);
        editing.select({ ids: listAt(editing.tree, place ?? rootList).map(({ id }) => id) });
      },
    },
    deselect: {
      id: 'block.deselect',
      label: 'blocks.deselect',
      icon: 'x',
      can: () => editing.selection.ids.length > 0,
      run: () => editing.select({ ids: [] }),
    },
  } as const satisfies Readonly<Record<string, Command>>;
}

/** The commands of the menu of a block. */
export function menuCommands(commands: BlockCommands, isGlobal: boolean): readonly Command[] {
  const { insert, duplicate, copy, cut, paste: pasted, moveUp, moveDown, move, remove } = commands;
  const ofKind = isGlobal ? [commands.openGlobal, commands.detach] : [commands.makeGlobal];
  return [insert, duplicate, copy, cut, pasted, moveUp, moveDown, move, ...ofKind, remove];
}

/** Copies to the clipboard in an event of the browser, which works without HTTPS too. True if it did. */
export function copyInEvent(editing: BlockEditing, clipboard: DataTransfer | null): boolean {
  if (editing.selection.ids.length === 0 || editing.selection.inner !== undefined) return false;
  const copied = copiedText(editing);
  clipboard?.setData('text/plain', copied);
  localStorage.setItem(copyKey, copied);
  return true;
}

/** Pastes blocks; nothing happens with other text. True if there were blocks. */
export function pasteText(editing: BlockEditing, copied: string, at?: Place): boolean {
  const blocks = blocksFromText(copied);
  if (blocks === undefined) return false;
  paste(editing, blocks, at);
  return true;
}

function copiedText(editing: BlockEditing): string {
  return blocksToText(outermost(editing.tree, chosenIds(editing)));
}

function chosenIds(editing: BlockEditing): ReadonlySet<string> {
  return new Set(editing.selection.ids);
}
