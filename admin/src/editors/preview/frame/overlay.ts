/** What is drawn over the page: outlines, name tags, the plus, the line of a drop. It scrolls with the page. */

const css = `
:host { all: initial; position: absolute; top: 0; left: 0; width: 0; height: 0; z-index: 2147483647; pointer-events: none; }
* { box-sizing: border-box; font: 600 12px/16px system-ui, sans-serif; }
.box { position: absolute; border: 2px solid var(--tone); border-radius: 2px; box-shadow: 0 0 0 1px rgb(255 255 255 / 75%); }
.hover { border: 1px dashed var(--tone); }
.field { border: 1px solid var(--tone); background: color-mix(in srgb, var(--tone) 8%, transparent); }
.tag { position: absolute; display: flex; align-items: center; gap: 2px; height: 24px; padding: 0 8px; border-radius: 3px 3px 0 0; background: var(--tone); color: #fff; white-space: nowrap; }
.tag.handle { padding: 0 0 0 8px; pointer-events: auto; cursor: grab; touch-action: none; user-select: none; }
.tag button { display: grid; place-items: center; width: 24px; height: 24px; margin-left: 4px; padding: 0; border: 0; background: none; color: inherit; cursor: pointer; }
.plus { position: absolute; display: flex; align-items: center; gap: 4px; height: 24px; padding: 0 8px; border: 0; border-radius: 12px; background: var(--teal); color: #fff; white-space: nowrap; cursor: pointer; pointer-events: auto; transform: translate(-50%, -50%); box-shadow: 0 1px 4px rgb(0 0 0 / 30%); }
.plus.first { transform: none; }
.line { position: absolute; border-radius: 2px; background: var(--teal); }
.refused { position: absolute; border-radius: 2px; background: repeating-linear-gradient(45deg, rgb(182 61 30 / 18%) 0 6px, transparent 6px 12px); }
`;

/** Colours of the admin's light theme: pages bring grounds of their own. */
const colours = { teal: '#0f5a63', plum: '#6d4a8c', slate: '#3f5874' } as const;
export type Tone = keyof typeof colours;

export interface TagActions {
  /** Texts of the handle and the button. */
  readonly move: string;
  readonly more: string;
  onGrab(event: PointerEvent): void;
  onMore(event: MouseEvent): void;
}

export class Overlay {
  readonly host = document.createElement('ic-overlay');
  readonly #layers = new Map<string, HTMLElement>();

  constructor() {
    const root = this.host.attachShadow({ mode: 'open' });
    const style = document.createElement('style');
    style.textContent = css;
    root.append(style);
    for (const name of ['refused', 'hover', 'select', 'plus', 'drop']) {
      const layer = document.createElement('div');
      layer.style.setProperty('--teal', colours.teal);
      this.#layers.set(name, layer);
      root.append(layer);
    }
    this.attach();
  }

  /** Puts the host back if the page was exchanged. */
  attach(): void {
    if (this.host.parentNode !== document.documentElement) document.documentElement.append(this.host);
  }

  clear(name: string): void {
    this.#layers.get(name)?.replaceChildren();
  }

  box(name: string, kind: 'box' | 'hover' | 'field', rect: DOMRect, tone: Tone): void {
    const element = this.#place(name, kind === 'box' ? 'box' : `box ${kind}`, rect);
    element.style.setProperty('--tone', colours[tone]);
  }

  refused(rect: DOMRect): void {
    this.#place('refused', 'refused', rect);
  }

  line(rect: DOMRect): void {
    this.#place('drop', 'line', rect);
  }

  /** The name of a block above its box, or inside where there is no room above. */
  tag(name: string, label: string, rect: DOMRect, tone: Tone, actions?: TagActions): void {
    const element = document.createElement('div');
    element.className = actions === undefined ? 'tag' : 'tag handle';
    element.style.setProperty('--tone', colours[tone]);
    const top = rect.top + scrollY;
    element.style.left = `${rect.left + scrollX}px`;
    element.style.top = `${top >= 24 ? top - 24 : top}px`;
    const text = document.createElement('span');
    text.textContent = actions === undefined ? label : `⠿ ${label}`;
    element.append(text);
    if (actions !== undefined) {
      element.title = actions.move;
      element.addEventListener('pointerdown', (event) => actions.onGrab(event));
      const more = document.createElement('button');
      more.type = 'button';
      more.tabIndex = -1;
      more.textContent = '⋯';
      more.title = actions.more;
      more.addEventListener('pointerdown', (event) => event.stopPropagation());
      more.addEventListener('click', (event) => actions.onMore(event));
      element.append(more);
    }
    this.#layers.get(name)?.append(element);
  }

  /** A button that adds a block. @param isFirst it stands in an empty list, beginning at the point */
  plus(label: string, x: number, y: number, isFirst: boolean, onClick: () => void): void {
    const element = document.createElement('button');
    element.type = 'button';
    element.tabIndex = -1;
    element.className = isFirst ? 'plus first' : 'plus';
    element.textContent = `+ ${label}`;
    element.style.left = `${x + scrollX}px`;
    element.style.top = `${y + scrollY}px`;
    element.addEventListener('click', onClick);
    this.#layers.get('plus')?.append(element);
  }

  #place(name: string, className: string, rect: DOMRect): HTMLElement {
    const element = document.createElement('div');
    element.className = className;
    element.style.left = `${rect.left + scrollX}px`;
    element.style.top = `${rect.top + scrollY}px`;
    element.style.width = `${rect.width}px`;
    element.style.height = `${rect.height}px`;
    this.#layers.get(name)?.append(element);
    return element;
  }
}
