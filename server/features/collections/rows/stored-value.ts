/** A value that comes from a stored state of an entry: it is taken as it is, whatever the rules say now. */
export class StoredValue {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}
