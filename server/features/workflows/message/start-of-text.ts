import { isLongAsJson } from '../../../http/json/writer.ts';
import { formatValue } from './placeholders.ts';

/** Most characters of a log entry. */
export const maxLogText = 10_000;
/** Longest secret; a text is cut after the masking, so that no part of a secret remains. */
export const maxSecret = 10_000;

/**
 * The first characters of `textOf(value)`, or all if there are fewer. What follows is not written, because a long
 * value takes long as JSON.
 *
 * @param value as JSON can hold it
 */
export function startOfText(value: unknown, length: number): string {
  if (typeof value !== 'object' || value === null || !isLongAsJson(value, smallWeight))
    return formatValue(value).slice(0, length);
  const writer = new Writer(length);
  writer.write(value);
  return writer.text.slice(0, length);
}

/** Of values that the engine writes as a whole faster than the class below writes a part. */
const smallWeight = 100;

class Writer {
  text = '';
  readonly #length: number;

  constructor(length: number) {
    this.#length = length;
  }

  write(value: unknown): void {
    if (Array.isArray(value)) this.#writeList(value);
    else if (typeof value === 'object' && value !== null) this.#writeObject(value);
    else if (typeof value === 'string') this.text += JSON.stringify(value.slice(0, this.#length));
    else this.text += JSON.stringify(value) ?? 'null';
  }

  #writeList(list: readonly unknown[]): void {
    this.text += '[';
    for (let index = 0; index < list.length && this.text.length < this.#length; index += 1) {
      if (index > 0) this.text += ',';
      this.write(list[index]);
    }
    this.text += ']';
  }

  /** By `for in`, because a list of all names and values of a large object takes four times as long. */
  #writeObject(object: object): void {
    this.text += '{';
    let isFirst = true;
    for (const name in object) {
      if (this.text.length >= this.#length) return;
      const value: unknown = Reflect.get(object, name);
      if (value === undefined || !Object.hasOwn(object, name)) continue;
      this.text += `${isFirst ? '' : ','}${JSON.stringify(name)}:`;
      isFirst = false;
      this.write(value);
    }
    this.text += '}';
  }
}
