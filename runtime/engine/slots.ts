/** What a component's slots hold, and what templates are told of it. */
import type { CompiledFunction } from '../../compiler/units.ts';
import { get } from './lookup.ts';
import type { RenderState } from './state.ts';

/**
 * Content of a component's slots: rendered when first asked for, in the scope it was written in. The class has no
 * methods, because templates get hold of such objects and could see them.
 */
export class Slots {
  readonly #fills = new Map<string, CompiledFunction>();
  readonly #rendered = new Map<string, string | Promise<string>>();

  static fill(slots: Slots, name: string, content: CompiledFunction): void {
    slots.#fills.set(name, content);
  }

  /** The content, or the empty text if there is none but white space. */
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

/** `slots.name`: whether the slot has content; of a variable that merely is called `slots`, its field. */
export function slotOrField(slots: unknown, name: string): unknown {
  if (!(slots instanceof Slots)) return get(slots, name);
  const content = Slots.content(slots, name);
  return typeof content === 'string' ? content !== '' : content.then((text) => text !== '');
}
