/**
 * The version of the content, raised by every committed change. The main thread raises it, every thread reads
 * it from shared memory.
 */
export class ContentVersion {
  /** Another thread makes its own `ContentVersion` from this memory. */
  readonly shared: SharedArrayBuffer;
  /** Cell 0 is the version, cell 1 counts changes of templates. */
  readonly #cells: Int32Array;
  readonly #listeners: (() => void)[] = [];

  constructor(shared: SharedArrayBuffer = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#cells = new Int32Array(shared);
  }

  current(): number {
    return Atomics.load(this.#cells, 0);
  }

  /** A number that changes whenever a template that others can name has changed. */
  templates(): number {
    return Atomics.load(this.#cells, 1);
  }

  /** Raises the version and calls the listeners of this thread before it returns. */
  move({
    steps = 1,
    templates = false,
  }: {
    readonly steps?: number;
    readonly templates?: boolean;
  } = {}): void {
    if (templates) Atomics.add(this.#cells, 1, 1);
    Atomics.add(this.#cells, 0, steps);
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` in this thread whenever the version has moved. Data dropped then is not used again. */
  onMove(listener: () => void): void {
    this.#listeners.push(listener);
  }
}
