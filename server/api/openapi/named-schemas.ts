import { isDeepStrictEqual } from 'node:util';

/**
 * The schemas that have a `title`. Each is described once, under its title, and referred to elsewhere.
 */
export class NamedSchemas {
  readonly #schemas = new Map<string, unknown>();

  /**
   * The schema with references in the place of schemas that have a title, itself included.
   *
   * @throws Error when two different schemas have the same title
   */
  refer(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((part) => this.refer(part));
    if (typeof schema !== 'object' || schema === null) return schema;
    const { title, ...keywords } = Object(schema);
    const entries = Object.entries(keywords).map(([keyword, value]) => [
      keyword,
      valueKeywords.has(keyword) ? value : this.refer(value),
    ]);
    if (typeof title !== 'string') {
      return Object.fromEntries(title === undefined ? entries : [['title', this.refer(title)], ...entries]);
    }
    this.#add(title, Object.fromEntries(entries));
    return { $ref: `#/components/schemas/${title}` };
  }

  /** All schemas with a title so far, by title. */
  all(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#schemas].sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  #add(title: string, schema: unknown): void {
    const known = this.#schemas.get(title);
    if (known !== undefined && !isDeepStrictEqual(known, schema))
      throw new Error(`two different schemas are called ${title}`);
    this.#schemas.set(title, schema);
  }
}

/** Keywords whose values are no schemas. */
const valueKeywords = new Set(['examples', 'enum', 'const', 'default', 'required']);
