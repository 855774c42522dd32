/** A text that comes from a stored version of an entry: it is taken as it was. */
export class StoredText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
