/** Typing of a value where it stands in the page. */
import type { FromFrame, TypeMessage } from '../messages.ts';

export class Typing {
  readonly element: HTMLElement;
  readonly #send: (message: FromFrame) => void;
  readonly #message: TypeMessage;
  readonly #onEnd: () => void;
  readonly #stop = new AbortController();

  constructor(
    element: HTMLElement,
    message: TypeMessage,
    point: { readonly x: number; readonly y: number } | undefined,
    send: (message: FromFrame) => void,
    onEnd: () => void,
  ) {
    this.element = element;
    this.#message = message;
    this.#send = send;
    this.#onEnd = onEnd;
    element.contentEditable = 'plaintext-only';
    element.style.outline = 'none';
    if (message.isLong) element.style.whiteSpace = 'pre-wrap';
    if (this.#value() !== message.value) element.textContent = message.value;
    const { signal } = this.#stop;
    element.addEventListener('input', () => this.#tell(), { signal });
    element.addEventListener('keydown', (event) => this.#press(event), { signal });
    element.addEventListener('blur', () => this.end(false), { signal });
    element.focus({ preventScroll: true });
    placeCaret(element, point);
  }

  /** Another value, after undo. */
  set(value: string): void {
    if (this.#value() === value) return;
    this.element.textContent = value;
    placeCaret(this.element, undefined);
  }

  end(isEscape: boolean): void {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    this.element.removeAttribute('contenteditable');
    this.element.style.outline = '';
    this.element.style.whiteSpace = '';
    if (this.element.getAttribute('style') === '') this.element.removeAttribute('style');
    this.element.blur();
    this.#onEnd();
    this.#send({ kind: 'typing-end', isEscape });
  }

  #press(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const isDone = event.key === 'Escape' || (event.key === 'Enter' && !this.#message.isLong);
    if (!isDone) return;
    event.preventDefault();
    event.stopPropagation();
    this.end(true);
  }

  #tell(): void {
    this.#send({ kind: 'typed', field: this.#message.field, value: this.#value() });
  }

  #value(): string {
    const text = readText(this.element).replaceAll('\u00a0', ' ').replace(/\n$/, '');
    return this.#message.isLong ? text : text.replace(/\s*\n\s*/g, ' ').trimStart();
  }
}

/** What was typed: `innerText` would have it as styles show it, such as in capitals. */
function readText(node: Node): string {
  if (node instanceof Text) return node.data;
  if (node instanceof HTMLBRElement) return '\n';
  return [...node.childNodes].map(readText).join('');
}

/** Puts the caret at a point, or at the end of the text. */
function placeCaret(
  element: HTMLElement,
  point: { readonly x: number; readonly y: number } | undefined,
): void {
  const found = point === undefined ? null : document.caretRangeFromPoint(point.x, point.y);
  const range = found !== null && element.contains(found.startContainer) ? found : document.createRange();
  if (range !== found) {
    range.selectNodeContents(element);
    range.collapse(false);
  }
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}
