/**
 * Writes JSON piece by piece, so that writing a large value can be interrupted. The text is that of `JSON.stringify`,
 * which writes every part that is small enough, because it is several times as fast.
 */
export class JsonWriter {
  readonly #open: Container[] = [];
  #rest: LongText | undefined;
  #text = '';

  /** @param value as JSON can hold it; not to be changed until it is written */
  constructor(value: unknown) {
    if (isContainer(value)) this.#writeHeavy(value);
    else this.#write(value);
  }

  /** The next piece of the text, not much longer than `pieceLength` and perhaps empty; undefined at the end. */
  next(): string | undefined {
    let steps = 0;
    while (steps < stepsPerPiece && this.#text.length < pieceLength && this.#step()) steps += 1;
    if (steps === 0 && this.#text === '') return undefined;
    const piece = this.#text;
    this.#text = '';
    return piece;
  }

  /** False at the end. */
  #step(): boolean {
    if (this.#rest !== undefined) {
      this.#writeText(this.#rest);
      return true;
    }
    const container = this.#open.at(-1);
    if (container === undefined) return false;
    if (container.index === container.length) {
      this.#text += container.names === undefined ? ']' : '}';
      this.#open.pop();
    } else if (container.names === undefined) this.#writeElements(container);
    else this.#writeMember(container, container.names[container.index] ?? '');
    return true;
  }

  #write(value: unknown): void {
    if (weightLeft(value, partWeight) >= 0) this.#text += JSON.stringify(value) ?? 'null';
    else this.#writeHeavy(value);
  }

  /** A value that was weighed already: that takes long for an object of many names. */
  #writeHeavy(value: unknown): void {
    if (typeof value === 'string') this.#rest = { text: value, position: 0 };
    else if (Array.isArray(value))
      this.#begin('[', { value, names: undefined, index: 0, length: value.length });
    else if (isContainer(value)) {
      const names = Object.keys(value);
      this.#begin('{', { value, names, index: 0, length: names.length });
    } else this.#text += JSON.stringify(value) ?? 'null';
  }

  #begin(bracket: string, container: Omit<Container, 'isEmpty'>): void {
    this.#text += bracket;
    this.#open.push({ ...container, isEmpty: true });
  }

  /** As many elements as are small enough together, or one large one. */
  #writeElements(list: Container): void {
    const values: readonly unknown[] = Array.isArray(list.value) ? list.value : [];
    const start = list.index;
    for (let left = partWeight; list.index < list.length; list.index += 1) {
      left = weightLeft(values[list.index], left);
      if (left < 0) break;
    }
    this.#separate(list);
    if (list.index > start) this.#text += JSON.stringify(values.slice(start, list.index)).slice(1, -1);
    else {
      list.index += 1;
      this.#writeHeavy(values[start]);
    }
  }

  #writeMember(object: Container, name: string): void {
    object.index += 1;
    const value: unknown = Reflect.get(object.value, name);
    if (value === undefined) return;
    this.#separate(object);
    this.#text += `${JSON.stringify(name)}:`;
    this.#write(value);
  }

  #separate(container: Container): void {
    if (!container.isEmpty) this.#text += ',';
    container.isEmpty = false;
  }

  #writeText(long: LongText): void {
    const { text, position } = long;
    if (position === 0) this.#text += '"';
    let end = Math.min(position + pieceLength, text.length);
    // Half a surrogate pair would be escaped.
    if (isHighSurrogate(text.charCodeAt(end - 1)) && end < text.length) end += 1;
    this.#text += JSON.stringify(text.slice(position, end)).slice(1, -1);
    long.position = end;
    if (end < text.length) return;
    this.#text += '"';
    this.#rest = undefined;
  }
}

/**
 * Whether `JSON.stringify` would hold the thread for more than a few milliseconds.
 *
 * @param weight of the longest value that is not long: values count 1 each, texts 1 more for 64 characters
 */
export function isLongAsJson(value: unknown, weight = longWeight): boolean {
  return weightLeft(value, weight) < 0;
}

interface Container {
  readonly value: object;
  /** Undefined for a list. */
  readonly names: readonly string[] | undefined;
  readonly length: number;
  /** Of the next element or member. */
  index: number;
  isEmpty: boolean;
}

interface LongText {
  readonly text: string;
  position: number;
}

/** In characters. */
const pieceLength = 2 ** 16;
/** A step may take 0.1 ms and write little. */
const stepsPerPiece = 100;

/** Values count 1 each, texts 1 more for so many characters. */
const charactersPerWeight = 64;
/** Of what is written at once, well below a millisecond. */
const partWeight = 1000;
/** About 2 ms. */
const longWeight = 16_000;

/** Deeper values count as heavy, because the function that weighs calls itself. */
const maxDepth = 30;

/** What is left of a weight after a value is taken from it; negative if it was too little. Stops there. */
function weightLeft(value: unknown, weight: number, depth = 0): number {
  let left = weight - 1;
  if (typeof value === 'string') return left - Math.floor(value.length / charactersPerWeight);
  if (typeof value !== 'object' || value === null) return left;
  if (depth === maxDepth) return -1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index += 1)
      left = weightLeft(value[index], left, depth + 1);
    return left;
  }
  for (const name in value) {
    if (left < 0) return left;
    left -= Math.floor(name.length / charactersPerWeight);
    left = weightLeft(Reflect.get(value, name), left, depth + 1);
  }
  return left;
}

/** Lists and plain objects; others may say themselves how they are written. */
function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}
