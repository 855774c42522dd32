/** The content of a component's slots, and how templates read it. */
import type { CompiledFunction } from '../../compiler/index.ts';
import { get } from './lookup.ts';
import type { RenderState } from './state.ts';

/**
 * The content of a component's slots. It is rendered at its first use, in the scope where it was written. The
 * class has no methods, because templates can reach its objects and could see the methods.
 */
export class Slots {
  readonly #fills = new Map<string, CompiledFunction>();
  readonly #rendered = new Map<string, string | Promise<string>>();

  static fill(slots: Slots, name: string, content: CompiledFunction): void {
    slots.#fills.set(name, content);
  }

  /** The content, or the empty text if there is nothing but white space. */
  static content(slots: Slots, name: string): string | Promise<string> {
    const known = slots.#rendered.get(name);
    if (known !== undefined) return known;
    const made = slots.#fills.get(name)?.() ?? '';
    const content = typeof made === 'string' ? unlessBlank(made) : made.then(unlessBlank);
    slots.#rendered.set(name, content);
    return content;
  }
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
