/** The head of answers that are given again and again, as a text and as bytes. */
export class KeptHead {
  readonly text: string;
  #bytes: Uint8Array | undefined;
  #length: number | undefined;
  #isUsed = false;

  constructor(text: string) {
    this.text = text;
  }

  /**
   * Status line and headers as bytes, without the last line break; undefined at the first use, which is the only one of
   * most answers that are made anew.
   *
   * @param length of the body, if the head is to tell it
   */
  findBytes(length: number | undefined): Uint8Array | undefined {
    if (!this.#isUsed) {
      this.#isUsed = true;
      return undefined;
    }
    if (this.#bytes === undefined || this.#length !== length) {
      this.#bytes = Buffer.from(
        `HTTP/1.1 ${this.text}${length === undefined ? '' : `\r\nContent-Length: ${length}`}`,
      );
      this.#length = length;
    }
    return this.#bytes;
  }
}
