import { text } from '../../../base/i18n/index.ts';
import type {
  EditMessage,
  FramePlace,
  FromFrame,
  KeyMessage,
  PickedBlock,
  PickMessage,
  ToFrame,
  TypedField,
} from '../../preview/messages.ts';
import { listsFor } from '../model/rules.ts';
import type { Selection } from '../model/selection.ts';
import { isReference, listAt, type Place } from '../model/tree.ts';
import { moveChosen, setValue, valuesOf } from '../state/actions.ts';
import type { BlockEditing, ShownBlock } from '../state/editing.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** What the canvas asks of the editor around it. */
export interface CanvasParts {
  insertAt(place: Place): void;
  openMenu(at: Point): void;
  /** Puts the focus on the outline, whose keys work on the chosen blocks. */
  focusOutline(): void;
  /** Puts the focus on the field of the selection in the panel. */
  focusField(): void;
  /** A block was clicked that comes from elsewhere, such as an entry. */
  showForeign(origin: string | undefined): void;
  /** From pixels of the frame to those of the window. */
  toScreen(point: Point): Point;
}

/** Types of parameters whose text is typed where it stands. */
const typedInPlace: ReadonlySet<string> = new Set(['text', 'textarea']);

/** Keeps the frame and the editor of one tree in step. */
export class CanvasLink {
  readonly #editing: BlockEditing;
  readonly #parts: () => CanvasParts;
  readonly #send: (message: ToFrame) => void;
  #origin = '';
  #facts: BlockEditing['facts'] | undefined;
  #selection: Selection | undefined;
  /** What is being typed in the frame. */
  #typed: { readonly shown: ShownBlock; readonly field: string; value: string } | undefined;

  constructor(editing: BlockEditing, parts: () => CanvasParts, send: (message: ToFrame) => void) {
    this.#editing = editing;
    this.#parts = parts;
    this.#send = send;
  }

  /** Follows the editor. Returns how to stop. */
  start(): () => void {
    const stop = this.#editing.subscribe(() => this.#follow());
    this.#follow();
    return stop;
  }

  /** @param origin of the edited tree in the markers of the page */
  setUp(origin: string): void {
    this.#origin = origin;
    this.#facts = undefined;
    this.#selection = undefined;
    this.#follow();
  }

  receive(message: Exclude<FromFrame, KeyMessage>): void {
    switch (message.kind) {
      case 'pick':
        this.#pick(message);
        break;
      case 'typed':
        this.#takeTyped(message.value);
        break;
      case 'typing-end':
        this.#typed = undefined;
        if (message.isEscape) this.#parts().focusOutline();
        break;
      case 'insert':
        this.#parts().insertAt(this.#placeOf(message.place));
        break;
      case 'drag':
        this.#allowDrag();
        break;
      case 'drop':
        moveChosen(this.#editing, this.#placeOf(message.place));
        break;
      case 'menu':
        this.#parts().openMenu(this.#parts().toScreen(message));
    }
  }

  #allowDrag(): void {
    const { facts, tree, selection } = this.#editing;
    this.#send({ kind: 'allow', lists: listsFor(facts, tree, new Set(selection.ids)) });
  }

  #follow(): void {
    const { facts, selection } = this.#editing;
    if (this.#origin !== '' && facts !== this.#facts) {
      this.#facts = facts;
      this.#send(setupOf(this.#origin, facts));
    }
    if (selection !== this.#selection) {
      const isShown = this.#typed === undefined;
      this.#selection = selection;
      const { ids, inner, field } = selection;
      this.#send({ kind: 'select', ids, inner, field, isShown });
    }
    this.#followTyped();
  }

  /** Undo, or the same field in the panel, changes what is being typed. */
  #followTyped(): void {
    const typed = this.#typed;
    if (typed === undefined) return;
    const { selection } = this.#editing;
    const isLeft = selection.ids.at(-1) !== typed.shown.id || selection.field !== typed.field;
    const value = isLeft ? undefined : textOf(valuesOf(this.#editing, typed.shown)[typed.field]);
    if (value === typed.value) return;
    this.#send({ kind: 'retype', value });
    if (value === undefined) this.#typed = undefined;
    else typed.value = value;
  }

  #pick({ blocks, field, isMore }: PickMessage): void {
    const own = this.#ownOf(blocks);
    this.#parts().showForeign(own?.isForeign === false ? undefined : blocks.at(-1)?.origin);
    if (own === undefined) {
      this.#editing.select({ ids: [] });
      this.#parts().focusOutline();
    } else if (isMore && own.shown.inner === undefined) this.#pickMore(own.shown.id);
    else this.#pickOne(own.shown, own.isForeign || field === undefined ? undefined : { blocks, field });
  }

  #pickMore(id: string): void {
    const { ids } = this.#editing.selection;
    const others = ids.filter((other) => other !== id);
    this.#editing.select({ ids: [...others, ...(ids.includes(id) ? [] : [id])] });
    this.#parts().focusOutline();
  }

  #pickOne(shown: ShownBlock, field: TypedField | undefined): void {
    this.#editing.select({ ids: [shown.id], inner: shown.inner, field: field?.field });
    if (field === undefined) this.#parts().focusOutline();
    else if (!this.#beginTyping(shown, field)) this.#parts().focusField();
  }

  /** True if the value can be typed where it stands. */
  #beginTyping(shown: ShownBlock, field: TypedField): boolean {
    const block = this.#editing.find(shown);
    if (block === undefined || isReference(block)) return false;
    const type = this.#editing.facts.types.get(block.type);
    const param = type?.params.find(({ name }) => name === field.field);
    if (param === undefined || !typedInPlace.has(param.type)) return false;
    const value = textOf(valuesOf(this.#editing, shown)[field.field] ?? param.default);
    this.#typed = { shown, field: field.field, value };
    this.#send({ kind: 'type', field, value, isLong: param.type === 'textarea' });
    return true;
  }

  #takeTyped(value: string): void {
    const typed = this.#typed;
    if (typed === undefined) return;
    typed.value = value;
    setValue(this.#editing, typed.shown, typed.field, value === '' ? null : value);
  }

  /** The block of the edited tree that a click means, and the one inside of its global block. */
  #ownOf(
    blocks: readonly PickedBlock[],
  ): { readonly shown: ShownBlock; readonly isForeign: boolean } | undefined {
    const last = blocks.findLastIndex(({ origin }) => origin === this.#origin);
    const own = blocks[last];
    if (own === undefined) return undefined;
    const block = this.#editing.find({ id: own.id });
    if (block === undefined) return undefined;
    const inside = blocks.slice(last + 1);
    if (inside.length === 0 || !isReference(block))
      return { shown: { id: own.id }, isForeign: inside.length > 0 };
    const direct = inside.filter(({ origin }) => origin === `global:${block.global}`).at(-1);
    const isForeign = inside.at(-1) !== direct;
    return { shown: { id: own.id, inner: direct?.id }, isForeign };
  }

  #placeOf({ parent, slot, before }: FramePlace): Place {
    const list = listAt(this.#editing.tree, { parent, slot });
    const index = before === null ? -1 : list.findIndex(({ id }) => id === before);
    return { parent, slot, index: index < 0 ? list.length : index };
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function setupOf(origin: string, { types, globals }: BlockEditing['facts']): EditMessage {
  const all = [...types.values()];
  return {
    kind: 'edit',
    origin,
    names: {
      ...Object.fromEntries(all.map(({ name, label }) => [name, label])),
      ...Object.fromEntries([...globals].map(([id, { name }]) => [`global:${id}`, name])),
    },
    slots: Object.fromEntries(
      all.flatMap(({ name, slots }) =>
        slots.map((slot) => [`${name}/${slot.name}`, slot.label || slot.name]),
      ),
    ),
    texts: {
      // The frame puts the name in.
      add: text('blocks.addTo', { name: '{{name}}' }),
      addFirst: text('blocks.addFirst'),
      page: text('blocks.page'),
      move: text('blocks.drag'),
      more: text('blocks.more'),
    },
  };
}
