/** The content of a component's slots, and how templates read it. */
import type { CompiledFunction } from '../../compiler/index.ts';
import { get } from './lookup.ts';
import type { RenderState } from './state.ts';

/**
 * The content of a component's slots. It is rendered at its first use, in the scope where it was written. The
 * class has no methods, because templates can reach its objects and could see the methods.
 */
export class Slots {
  readonly #fills: Fill[] = [];

  /** @param isShown whether the content is known to be more than white space */
  static fill(slots: Slots, name: string, content: CompiledFunction, isShown: boolean): void {
    const known = slots.#fills.findIndex((fill) => fill.name === name);
    const fill = { name, content, isShown, rendered: undefined };
    if (known === -1) slots.#fills.push(fill);
    else slots.#fills[known] = fill;
  }

  /** The content, or the empty text if there is nothing but white space. */
  static content(slots: Slots, name: string): string | Promise<string> {
    const fills = slots.#fills;
    for (let index = 0; index < fills.length; index += 1) {
      const fill = fills[index];
      if (fill?.name === name) return fill.rendered ?? renderedOf(fill);
    }
    return '';
  }
}

/** Components have few slots, so a list is quicker than a map. */
interface Fill {
  readonly name: string;
  readonly content: CompiledFunction;
  readonly isShown: boolean;
  rendered: string | Promise<string> | undefined;
}

function renderedOf(fill: Fill): string | Promise<string> {
  const made = fill.content();
  fill.rendered = fill.isShown ? made : typeof made === 'string' ? unlessBlank(made) : made.then(unlessBlank);
  return fill.rendered;
}

function unlessBlank(text: string): string {
  return text.trim() === '' ? '' : text;
}

export function slotContent(state: RenderState, slots: unknown, name: string): string | Promise<string> {
  if (!(slots instanceof Slots)) return '';
  state.enter(null);
  const content = Slots.content(slots, name);
  state.leave();
  return content;
}

/** `slots.name`: whether the slot has content. If another variable has the name `slots`: its field. */
export function slotOrField(slots: unknown, name: string): unknown {
  if (!(slots instanceof Slots)) return get(slots, name);
  const content = Slots.content(slots, name);
  return typeof content === 'string' ? content !== '' : content.then((text) => text !== '');
}
