/** Reads JSON schemas, which typebox makes, as data. */

/** The properties of an object schema by name; undefined for any other schema. */
export function findProperties(schema: unknown): ReadonlyMap<string, unknown> | undefined {
  const properties = readKeyword(schema, 'properties');
  return typeof properties === 'object' && properties !== null
    ? new Map(Object.entries(properties))
    : undefined;
}

/** The value of a keyword of a schema; undefined if the schema does not have it. */
export function readKeyword(schema: unknown, keyword: string): unknown {
  return typeof schema === 'object' && schema !== null ? Reflect.get(schema, keyword) : undefined;
}

/** The `type` of a schema; empty for a schema without one, such as a union. */
export function readSchemaType(schema: unknown): string {
  return String(readKeyword(schema, 'type') ?? '');
}
