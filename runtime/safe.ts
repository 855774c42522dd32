/** Text that is HTML already: printed as it is, never escaped again (Django's SafeString). */
export class SafeString {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }

  toString(): string {
    return this.value;
  }
}
