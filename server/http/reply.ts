/** An answer that is more than a JSON value with the status of its route. */
export class Reply {
  readonly status: number;
  readonly value: unknown;
  readonly headers: readonly (readonly [string, string])[];

  constructor(status: number, value: unknown, headers: readonly (readonly [string, string])[] = []) {
    this.status = status;
    this.value = value;
    this.headers = headers;
  }
}
