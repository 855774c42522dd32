/** The fields of an object of the API, by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** An object as a record of its fields. */
export function toFieldRecord(value: object): Fields {
  return Object.fromEntries(Object.entries(value));
}

/** Whether two values of the API are equal. */
export function isEqual(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}
