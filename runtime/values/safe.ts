/** Text that is already HTML: printed unchanged, never escaped again (Django's SafeString). */
export class SafeString {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }

  toString(): string {
    return this.value;
  }
}
