/**
 * `{% blocks tree %}` (Core, "Rendering of blocks"): each block is rendered by the snippet of its type, like a
 * component: the compiled snippet is called with the values that it reads. The source of a render says what the
 * values of a block are; in previews its marks tell editors which block is where.
 */
import type { ComponentCode, Linker, Variant } from '../../compiler/index.ts';
import { isMap } from '../filters/shared/values.ts';
import type {
  BlockMarker,
  BlockSource,
  BlockTypeParams,
  PreparedBlock,
  PreparedReference,
} from './block-source.ts';
import { checkOutput } from './budgets.ts';
import { extend } from './context.ts';
import { Fill, Slots } from './slots.ts';
import type { RenderState } from './state.ts';

type Output = string | Promise<string>;

/** Renders the trees of one render. */
export class BlockRender {
  readonly #linker: Linker;
  readonly #state: RenderState;
  readonly #context: object;
  readonly #variant: Variant;
  readonly #source: BlockSource;

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
    if (marks === undefined) return Array.isArray(tree) ? this.#list(tree, '') : '';
    const origin = marks.originOf(tree);
    return this.#markedList(Array.isArray(tree) ? tree : [], origin, marks);
  }

  #markedList(list: readonly unknown[], origin: string, marks: BlockMarker): Output {
    return after(this.#list(list, origin), (output) => marks.list(origin, output));
  }

  /** @param at path of the list; empty without marks */
  #list(list: readonly unknown[], at: string, from = 0, before = ''): Output {
    let output = before;
    for (let index = from; index < list.length; index += 1) {
      const made = this.#block(list[index], at, index);
      // One after the other, so that marks and global blocks always know where the render is.
      if (typeof made !== 'string')
        return made.then((text) => this.#list(list, at, index + 1, output + text));
      output += made;
      checkOutput(output.length);
    }
    return output;
  }

  #block(block: unknown, at: string, index: number): Output {
    const { marks } = this.#source;
    const prepared = this.#source.prepare(block);
    if (marks === undefined) return this.#content(prepared, '', this.#source);
    const path = `${at}/${index}`;
    return after(this.#content(prepared, path, this.#source), (output) => marks.block(path, block, output));
  }

  #content(prepared: PreparedBlock | PreparedReference | string, path: string, source: BlockSource): Output {
    if (typeof prepared === 'string') {
      this.#state.step();
      return prepared;
    }
    if (prepared.kind === 'block') return this.#template(prepared, path);
    this.#state.step();
    source.entered(prepared);
    const { marks } = source;
    const output =
      marks === undefined
        ? this.#list(prepared.tree, '')
        : this.#markedList(prepared.tree, `global:${prepared.id}`, marks);
    return after(output, (text) => {
      source.left(prepared);
      return text;
    });
  }

  #template(block: PreparedBlock, path: string): Output {
    const { marks } = this.#source;
    const code = this.#codeOf(block.type);
    // A template that does not exist has no output: the source knows whether that is worth a word.
    if (code === undefined) return '';
    if (marks === undefined) return this.#run(code, block, block.values, this.#slotsOf(block, path));
    const values = marks.entered(path, block);
    return after(this.#run(code, block, values, this.#slotsOf(block, path)), (output) => {
      marks.left();
      return output;
    });
  }

  #run(
    { linked, takes }: ComponentCode,
    block: PreparedBlock,
    values: readonly unknown[],
    slots: Slots,
  ): Output {
    const { about, type } = block;
    const args: unknown[] = [this.#state, this.#context, linked.table];
    if (takes === 'context') {
      args[1] = extend(this.#state, this.#context, [
        ...type.params.map((name, index) => [name, values[index]] as const),
        ['block', about],
        ['slots', slots],
      ]);
    } else {
      for (const place of takes) args.push(place === -1 ? about : place === -2 ? slots : values[place]);
    }
    return linked.run(...args);
  }

  #slotsOf({ slots: lists }: PreparedBlock, path: string): Slots {
    const { marks } = this.#source;
    if (lists.length === 0 && marks === undefined) return noSlots;
    const fills: Fill[] = [];
    for (const [name, list] of lists) {
      if (!Array.isArray(list)) continue;
      const at = marks === undefined ? '' : marks.slotPath(path, name);
      fills.push(new Fill(name, () => this.#list(list, at), false));
    }
    return new Slots(fills, marks && { marks, path });
  }

  #codeOf(type: BlockTypeParams): ComponentCode | undefined {
    // The type may have to be compiled.
    this.#state.look();
    this.#state.reach(() => this.#linker.reachedFrom(type.name));
    return this.#linker.component(type.name, type, this.#variant);
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
      type: { name: type, params: names },
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
