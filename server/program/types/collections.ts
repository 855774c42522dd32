/** Collections as types are written of them, from a server or from a folder. */
import type { FieldTypeName } from '../../../runtime/fields/definition.ts';
import { fieldTypeNames } from '../../../runtime/fields/definition.ts';

export interface TypedField {
  readonly name: string;
  readonly label: string;
  readonly type: FieldTypeName;
  readonly required: boolean;
  /** Values of a `select` or `multiselect`; empty = any. */
  readonly options: readonly string[];
  /** Slug of the collection that a reference leads to; null if it leads nowhere. */
  readonly collection: string | null;
  /** Fields of a `group`. */
  readonly fields: readonly TypedField[];
  /** Whether a `group` is a list. */
  readonly many: boolean;
}

export interface TypedCollection {
  readonly slug: string;
  readonly name: string;
  readonly singleton: boolean;
  readonly fields: readonly TypedField[];
}

/**
 * Collections as the API or a folder has them, sorted by slug.
 *
 * @param list objects with `slug`, `name`, `singleton`, `fields`; in `fields`, `collection` is an ID or a slug
 */
export function toTypedCollections(list: readonly unknown[]): readonly TypedCollection[] {
  const objects = list.filter(isObject).filter(({ slug }) => typeof slug === 'string');
  const slugs = new Map(objects.map(({ id, slug }) => [id, String(slug)]));
  const known = new Set(objects.map(({ slug }) => String(slug)));
  const slugOf = (value: unknown): string | null => {
    const slug = typeof value === 'number' ? slugs.get(value) : value;
    return typeof slug === 'string' && known.has(slug) ? slug : null;
  };
  return objects
    .map(({ slug, name, singleton, fields }) => ({
      slug: String(slug),
      name: toText(name),
      singleton: singleton === true,
      fields: toFields(fields, slugOf),
    }))
    .sort((left, right) => (left.slug < right.slug ? -1 : 1));
}

function toFields(value: unknown, slugOf: (value: unknown) => string | null): readonly TypedField[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).flatMap((field) => {
    const type = fieldTypeNames.find((known) => known === field['type']);
    if (type === undefined || typeof field['name'] !== 'string') return [];
    const { options } = field;
    return {
      name: field['name'],
      label: toText(field['label']),
      type,
      required: field['required'] === true,
      options: Array.isArray(options) ? options.filter((option) => typeof option === 'string') : [],
      collection: slugOf(field['collection']),
      fields: toFields(field['fields'], slugOf),
      many: field['many'] === true,
    };
  });
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
