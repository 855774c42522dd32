import type { BlockParam } from '../../../api/generated/schema.ts';
import type {
  FrameBox,
  FramePlace,
  FromFrame,
  KeyMessage,
  PickMessage,
  ToFrame,
  TypedField,
} from '../../preview/messages.ts';
import { findOwnBlock } from '../model/own-block.ts';
import { listsFor } from '../model/rules.ts';
import type { Selection } from '../model/selection.ts';
import { isReference, listAt, type Place } from '../model/tree.ts';
import { computeBlockValues, moveChosen, setValue } from '../state/actions.ts';
import type { BlockEditing, ShownBlock } from '../state/editing.ts';
import { createSetupMessage, type RegionLabels } from './setup.ts';

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
  /** Opens a rich text where it stands; undefined closes it. */
  editText(text: TextInPage | undefined): void;
  /** Words of the page were clicked that are no block. */
  pickRegion(name: string): void;
  /** A block was clicked that comes from elsewhere, such as an entry. */
  showForeign(origin: string | undefined): void;
  /** From pixels of the frame to those of the window. */
  toScreen(point: Point): Point;
}

/** A rich text of the page. */
export interface TextInPage {
  readonly shown: ShownBlock;
  readonly field: string;
  /** Where it stands, in pixels of the frame. */
  readonly box: FrameBox;
}

interface Idle {
  readonly kind: 'idle';
}

/** A text of the page is typed where it stands. */
interface TypingInFrame {
  readonly kind: 'typing';
  readonly shown: ShownBlock;
  readonly field: string;
  /** What the frame shows. */
  readonly value: string;
  /** What the page shows where nothing is set. */
  readonly standard: string;
}

const idle: Idle = { kind: 'idle' };

/** Types of parameters whose text is typed where it stands. */
const typedInPlace: ReadonlySet<string> = new Set(['text', 'textarea']);
/** Those that have an editor of their own, which opens there. */
const richInPlace: ReadonlySet<string> = new Set(['html', 'markdown']);

/** Keeps the frame and the editor of one tree in step. */
export class CanvasLink {
  readonly #editing: BlockEditing;
  readonly #parts: () => CanvasParts;
  readonly #send: (message: ToFrame) => void;
  #origin = '';
  #regions: RegionLabels = {};
  #facts: BlockEditing['facts'] | undefined;
  #selection: Selection | undefined;
  #state: Idle | TypingInFrame = idle;

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

  /**
   * @param origin of the edited tree in the markers of the page
   * @param regions whose words are edited too
   */
  setUp(origin: string, regions: RegionLabels): void {
    this.#origin = origin;
    this.#regions = regions;
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
        this.#state = idle;
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
      this.#send(createSetupMessage(this.#origin, facts, this.#regions));
    }
    if (selection !== this.#selection) {
      const isShown = this.#state.kind === 'idle';
      this.#selection = selection;
      const { ids, inner, field } = selection;
      this.#send({ kind: 'select', ids, inner, field, isShown });
    }
    this.#followTyped();
  }

  /** Undo, or the same field in the panel, changes what is being typed. */
  #followTyped(): void {
    const state = this.#state;
    if (state.kind === 'idle') return;
    const { selection } = this.#editing;
    const isLeft = selection.ids.at(-1) !== state.shown.id || selection.field !== state.field;
    const set = computeBlockValues(this.#editing, state.shown)[state.field];
    // Who has just deleted the last letter goes on with an empty text, although the page will show the default.
    const value = isLeft ? undefined : textOf(set ?? (state.value === '' ? '' : state.standard));
    if (value === state.value) return;
    this.#send({ kind: 'retype', value });
    this.#state = value === undefined ? idle : { ...state, value };
  }

  #pick({ blocks, field, box, region, isMore }: PickMessage): void {
    this.#parts().editText(undefined);
    const own = findOwnBlock(this.#editing.tree, this.#origin, blocks);
    this.#parts().showForeign(own?.isForeign === false ? undefined : blocks.at(-1)?.origin);
    if (own === undefined) {
      this.#editing.select({ ids: [] });
      if (region === undefined) this.#parts().focusOutline();
      else this.#parts().pickRegion(region);
    } else if (isMore && own.inner === undefined) this.#pickMore(own.id);
    else {
      const { id, inner, isForeign } = own;
      // A block that is one text has no element that says so: a second click leads into it.
      const name = field ?? (this.#isChosen(own) ? this.#findOnlyText(own) : undefined);
      this.#pickOne(
        { id, inner },
        isForeign || name === undefined ? undefined : { blocks, field: name },
        box,
      );
    }
  }

  #pickMore(id: string): void {
    const { ids } = this.#editing.selection;
    const others = ids.filter((other) => other !== id);
    this.#editing.select({ ids: [...others, ...(ids.includes(id) ? [] : [id])] });
    this.#parts().focusOutline();
  }

  #pickOne(shown: ShownBlock, field: TypedField | undefined, box: FrameBox | undefined): void {
    this.#editing.select({ ids: [shown.id], inner: shown.inner, field: field?.field });
    if (field === undefined) this.#parts().focusOutline();
    else if (box !== undefined && this.#isRich(shown, field)) {
      this.#parts().editText({ shown, field: field.field, box });
    } else if (!this.#beginTyping(shown, field)) this.#parts().focusField();
  }

  #isChosen({ id, inner }: ShownBlock): boolean {
    const { selection } = this.#editing;
    return selection.ids.length === 1 && selection.ids[0] === id && selection.inner === inner;
  }

  /** The parameter of a block that has no other content. */
  #findOnlyText(shown: ShownBlock): string | undefined {
    const block = this.#editing.find(shown);
    if (block === undefined || isReference(block)) return undefined;
    const params = this.#editing.facts.types.get(block.type)?.params.filter(({ design }) => !design) ?? [];
    const [only, second] = params;
    return second === undefined && richInPlace.has(only?.type ?? '') ? only?.name : undefined;
  }

  #isRich(shown: ShownBlock, { field }: TypedField): boolean {
    return richInPlace.has(this.#findParam(shown, field)?.type ?? '');
  }

  #findParam(shown: ShownBlock, field: string): BlockParam | undefined {
    const block = this.#editing.find(shown);
    if (block === undefined || isReference(block)) return undefined;
    return this.#editing.facts.types.get(block.type)?.params.find(({ name }) => name === field);
  }

  /** True if the value can be typed where it stands. */
  #beginTyping(shown: ShownBlock, field: TypedField): boolean {
    const param = this.#findParam(shown, field.field);
    if (param === undefined || !typedInPlace.has(param.type)) return false;
    const standard = textOf(param.default);
    const value = textOf(computeBlockValues(this.#editing, shown)[field.field] ?? standard);
    this.#state = { kind: 'typing', shown, field: field.field, value, standard };
    this.#send({ kind: 'type', field, value, isLong: param.type === 'textarea' });
    return true;
  }

  #takeTyped(value: string): void {
    const state = this.#state;
    if (state.kind === 'idle') return;
    this.#state = { ...state, value };
    setValue(this.#editing, state.shown, state.field, value === '' ? null : value);
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
