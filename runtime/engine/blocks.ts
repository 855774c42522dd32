/**
 * `{% blocks tree %}` (Core, "Rendering of blocks"): each block is rendered by the snippet of its type, like a
 * component: the compiled snippet is called with the values that it reads. The source of a render says what the
 * values of a block are; in previews its marks tell editors which block is where.
 */
import type { ComponentCode, Linker, Variant } from '../../compiler/index.ts';
import { isMap } from '../filters/shared/values.ts';
import { BlockPlace } from '../marks/place.ts';
import type { BlockMarker, BlockSource, BlockTypeParams, PreparedBlock } from './block-source.ts';
import { checkOutput } from './budgets.ts';
import { extend } from './context.ts';
import { Fill, Slots } from './slots.ts';
import type { RenderState } from './state.ts';

type Output = string | Promise<string>;
type Prepared = ReturnType<BlockSource['prepare']>;

/** Renders the trees of one render. */
export class BlockRender {
  readonly #linker: Linker;
  readonly #state: RenderState;
  readonly #context: object;
  readonly #variant: Variant;
  readonly #source: BlockSource;
  /** A page has many blocks of few types. */
  readonly #codes = new Map<BlockTypeParams, ComponentCode | undefined>();

  constructor(linker: Linker, state: RenderState, context: object, variant: Variant) {
    this.#linker = linker;
    this.#state = state;
    this.#context = context;
    this.#variant = variant;
    this.#source = state.blocks ?? plainSource;
  }

  /** The output of a tree. Nothing for a value that is no list. */
  tree(tree: unknown): Output {
    const { marks } = this.#source;
    if (marks === undefined) return Array.isArray(tree) ? this.#list(tree, undefined) : '';
    return this.#markedList(Array.isArray(tree) ? tree : [], marks.placeOf(tree), marks);
  }

  #markedList(list: readonly unknown[], place: BlockPlace, marks: BlockMarker): Output {
    return after(this.#list(list, place), (output) => marks.list(place, output));
  }

  /** @param at place of the list; undefined without marks @param fill the slot that it fills, if it fills one */
  #list(list: readonly unknown[], at: BlockPlace | undefined, fill?: Fill, from = 0, before = ''): Output {
    const { marks } = this.#source;
    let output = before;
    for (let index = from; index < list.length; index += 1) {
      const block = list[index];
      const prepared = this.#source.prepare(block);
      const place = at?.block(index);
      if (marks !== undefined && at !== undefined && place !== undefined) {
        const before =
          index === 0
            ? this.#slotBefore(prepared, at, fill)
            : at.block(index - 1).closing(list[index - 1], '').html;
        output += marks.blockOpen(place, block, before);
      }
      const made = this.#content(prepared, place, fill);
      // One after the other, so that marks and global blocks always know where the render is.
      if (typeof made !== 'string')
        return made.then((text) => this.#list(list, at, fill, index + 1, output + text));
      output += made;
      checkOutput(output.length);
    }
    if (marks === undefined || at === undefined || list.length === 0) return output;
    const after = fill?.isMarked === true ? at.slotClose.html : '';
    return output + marks.blockClose(at.block(list.length - 1), list.at(-1), after);
  }

  /**
   * The comment of a slot that shares the mark of its first block. Content that may be blank has no such mark: a slot
   * without content shows its fallback within its own comments.
   */
  #slotBefore(first: Prepared, slot: BlockPlace, fill: Fill | undefined): string {
    if (fill === undefined || typeof first === 'string' || first.kind !== 'block') return '';
    if (this.#codeOf(first.type)?.showsText !== true) return '';
    fill.isMarked = true;
    return slot.slotOpen.html;
  }

  #content(prepared: Prepared, place: BlockPlace | undefined, fill: Fill | undefined): Output {
    if (typeof prepared === 'string') {
      this.#state.step();
      return prepared;
    }
    if (prepared.kind === 'block') return this.#template(prepared, place, fill);
    this.#state.step();
    const source = this.#source;
    source.entered(prepared);
    const { marks } = source;
    const output =
      marks === undefined
        ? this.#list(prepared.tree, undefined, fill)
        : this.#markedList(prepared.tree, BlockPlace.of(`global:${prepared.id}`), marks);
    return after(output, (text) => {
      source.left(prepared);
      return text;
    });
  }

  #template(block: PreparedBlock, place: BlockPlace | undefined, fill: Fill | undefined): Output {
    const { marks } = this.#source;
    const code = this.#codeOf(block.type);
    // A template that does not exist has no output: the source knows whether that is worth a word.
    if (code === undefined) return '';
    if (fill !== undefined && code.showsText) fill.isShown = true;
    if (marks === undefined || place === undefined) return this.#run(code, block, block.values, undefined);
    const output = this.#run(code, block, marks.entered(place, block), place);
    if (typeof output === 'string') {
      marks.left();
      return output;
    }
    return output.then((text) => {
      marks.left();
      return text;
    });
  }

  /** @param place of the block; undefined without marks */
  #run(
    { linked, takes }: ComponentCode,
    block: PreparedBlock,
    values: readonly unknown[],
    place: BlockPlace | undefined,
  ): Output {
    if (takes === 'context')
      return linked.run(
        this.#state,
        this.#contextWith(block, values, this.#slotsOf(block, place)),
        linked.table,
      );
    // Of its size from the start: an array that grows is copied, and made for many more.
    const args = new Array<unknown>(3 + takes.length);
    args[0] = this.#state;
    args[1] = this.#context;
    args[2] = linked.table;
    for (let index = 0; index < takes.length; index += 1) {
      const taken = takes[index] ?? 0;
      args[3 + index] =
        taken === -1 ? block.about : taken === -2 ? this.#slotsOf(block, place) : values[taken];
    }
    return linked.run(...args);
  }

  #contextWith({ about, type }: PreparedBlock, values: readonly unknown[], slots: Slots): object {
    return extend(this.#state, this.#context, [
      ...type.params.map((name, index) => [name, values[index]] as const),
      ['block', about],
      ['slots', slots],
    ]);
  }

  /** @param place of the block; undefined without marks */
  #slotsOf({ slots: lists }: PreparedBlock, place: BlockPlace | undefined): Slots {
    const { marks } = this.#source;
    if (lists.length === 0 && place === undefined) return noSlots;
    const fills = new Array<Fill>(lists.length);
    let count = 0;
    for (const [name, list] of lists) {
      if (!Array.isArray(list)) continue;
      const fill = new Fill(name, () => this.#list(list, place?.slot(name), fill), false);
      fills[count++] = fill;
    }
    fills.length = count;
    return new Slots(fills, marks && place && { marks, place });
  }

  #codeOf(type: BlockTypeParams): ComponentCode | undefined {
    const known = this.#codes.get(type);
    if (known !== undefined || this.#codes.has(type)) return known;
    // The type may have to be compiled.
    this.#state.checkTimeLimit();
    this.#state.reach(() => this.#linker.reachedFrom(type.name));
    const code = this.#linker.component(type.name, type, this.#variant);
    this.#codes.set(type, code);
    return code;
  }
}

/** Shared by all blocks without blocks in their slots. */
const noSlots = new Slots([]);

/** Without a host every snippet is a block type, and the parameters are as they are. */
const plainSource: BlockSource = {
  marks: undefined,
  prepare(block) {
    if (!isMap(block) || typeof block['type'] !== 'string') return '';
    const { id, type, params, slots } = block;
    const given = isMap(params) ? params : {};
    const names = Object.keys(given);
    return {
      kind: 'block',
      type: { name: type, params: names, marks: [] },
      values: names.map((name) => given[name]),
      about: { id, type },
      slots: isMap(slots) ? Object.entries(slots) : [],
    };
  },
  entered() {},
  left() {},
};

function after(output: Output, next: (text: string) => string): Output {
  return typeof output === 'string' ? next(output) : output.then(next);
}
