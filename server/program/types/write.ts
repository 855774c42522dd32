/** Writes TypeScript for the entries that `/data` gives, with a client. It needs no types of browsers or Node.js. */
import { clientText, sharedTypesText } from './client-text.ts';
import type { TypedCollection, TypedField } from './collections.ts';

/** The text of a file that a strict project compiles. */
export function writeTypes(collections: readonly TypedCollection[]): string {
  const names = nameTypes(collections);
  const interfaces = collections.flatMap((collection) => {
    const { whole, linked } = names.get(collection.slug) ?? missing(collection.slug);
    return [
      docLine(`An entry of ${collection.name || collection.slug}.`),
      ...writeInterface(whole, collection, { names, depth: 'entry' }),
      docLine(
        `An entry of ${collection.name || collection.slug} to which another entry refers. Its references are IDs.`,
      ),
      ...writeInterface(linked, collection, { names, depth: 'linked' }),
    ];
  });
  const members = (isSingleton: boolean) =>
    collections
      .filter(({ singleton }) => singleton === isSingleton)
      .map(({ slug }) => `  readonly ${quote(slug)}: ${names.get(slug)?.whole};`);
  return [
    '// Written by `incipit types`. Do not edit: write it again when collections have changed.',
    '',
    sharedTypesText,
    ...interfaces,
    '/** Collections with any number of entries, by slug. */',
    ...block('export interface Collections', members(false)),
    '/** Collections with one entry, by slug. */',
    ...block('export interface Singletons', members(true)),
    clientText,
  ].join('\n');
}

interface TypeNames {
  readonly whole: string;
  readonly linked: string;
}

interface FieldContext {
  readonly names: ReadonlyMap<string, TypeNames>;
  /** References are followed one level deep. */
  readonly depth: 'entry' | 'linked';
}

/** Names of types by slug. Slugs that differ in signs only get numbers. */
function nameTypes(collections: readonly TypedCollection[]): ReadonlyMap<string, TypeNames> {
  const taken = new Set<string>();
  return new Map(
    collections.map(({ slug }) => {
      const base = slug
        .split(/[^a-zA-Z0-9]+/)
        .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
        .join('');
      let name = base;
      for (let number = 2; taken.has(name); number++) name = `${base}_${number}`;
      taken.add(name);
      return [slug, { whole: `${name}Entry`, linked: `Linked${name}Entry` }];
    }),
  );
}

function missing(slug: string): never {
  throw new Error(`no type for ${slug}`);
}

/** Values that all entries have, unless a field has the name. */
const systemValues = [
  ['id', 'number', 'ID of the entry.'],
  ['published', 'boolean', 'Whether visitors see it. Without a token all entries are published.'],
  ['_created', 'string', 'Time of the creation, ISO 8601.'],
  ['_updated', 'string', 'Time of the last change, ISO 8601.'],
  ['_url', 'string', 'Address of its page; empty if it has none.'],
] as const;

function writeInterface(name: string, { fields }: TypedCollection, context: FieldContext): readonly string[] {
  const own = new Set(fields.map((field) => field.name));
  const system = systemValues
    .filter(([value]) => !own.has(value))
    .flatMap(([value, type, about]) => [`  ${docLine(about)}`, `  readonly ${value}: ${type};`]);
  return block(`export interface ${name}`, [...system, ...writeFields(fields, context, '  ')]);
}

function writeFields(
  fields: readonly TypedField[],
  context: FieldContext,
  indent: string,
): readonly string[] {
  // Of fields with the same name the last one counts, as in the answers.
  const last = [...new Map(fields.map((field) => [field.name, field])).values()];
  return last.flatMap((field) => [
    ...(field.label === '' || field.label === field.name ? [] : [`${indent}${docLine(field.label)}`]),
    `${indent}readonly ${quote(field.name)}: ${writeType(field, context, indent)}${field.required ? '' : ' | null'};`,
  ]);
}

function writeType(field: TypedField, context: FieldContext, indent: string): string {
  switch (field.type) {
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'image':
      return 'Image';
    case 'file':
      return 'number';
    case 'select':
      return writeOptions(field);
    case 'multiselect':
      return writeList(writeOptions(field));
    case 'reference':
      return writeReference(field, context);
    case 'references':
      return writeList(writeReference(field, context));
    case 'blocks':
      return 'readonly Block[]';
    case 'link':
      return 'Link';
    case 'place':
      return 'Place';
    case 'group': {
      const object = ['{', ...writeFields(field.fields, context, `${indent}  `), `${indent}}`].join('\n');
      return field.many ? `readonly (${object})[]` : object;
    }
    case 'text':
    case 'textarea':
    case 'html':
    case 'markdown':
    case 'date':
    case 'datetime':
    case 'url':
    case 'color':
    case 'email':
    case 'phone':
      return 'string';
  }
}

function writeOptions({ options }: TypedField): string {
  return options.length === 0 ? 'string' : options.map((option) => JSON.stringify(option)).join(' | ');
}

function writeReference({ collection }: TypedField, { names, depth }: FieldContext): string {
  if (depth === 'linked') return 'number';
  return (collection === null ? undefined : names.get(collection)?.linked) ?? 'never';
}

function writeList(item: string): string {
  return `readonly ${item.includes(' ') ? `(${item})` : item}[]`;
}

function block(head: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [`${head} {}`, ''] : [`${head} {`, ...lines, '}', ''];
}

/** A comment of one line; a text of somebody cannot end it. */
function docLine(text: string): string {
  return `/** ${text.replaceAll(/\s+/g, ' ').replaceAll('*/', '* /').trim()} */`;
}

function quote(name: string): string {
  return /^[a-zA-Z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
