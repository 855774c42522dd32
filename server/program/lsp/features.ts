/** Completion, hover, definition, references, rename and formatting. Offsets are of the text after the front matter. */

import { readBlockSchema } from '../../../runtime/blocks/schema.ts';
import type { FolderObject } from '../../features/folders/format/content.ts';
import { renderFiles } from '../../features/folders/format/index.ts';
import { findMeaning } from '../../features/folders/format/references/names.ts';
import { listTemplates } from '../templates/folder-templates.ts';
import type { FolderWorkspace } from './folder-workspace.ts';
import { findCode, findPlace, listPlaces, type NamedPlace, type PlaceKind } from './places.ts';
import { listMembers, listVariables, type Member } from './variables.ts';
import { explainWord, listWords } from './words.ts';

/** A template with the text before it in its file. */
export interface TextSource {
  readonly object: FolderObject;
  readonly text: string;
}

export interface Offer {
  readonly label: string;
  readonly kind: PlaceKind | 'function' | 'variable';
  readonly about: string;
  /** How many characters before the place it replaces. */
  readonly length: number;
}

/** A range in a file, in offsets of its template. */
export interface Target {
  readonly path: string;
  /** Undefined: the file as a whole. */
  readonly range: { readonly start: number; readonly end: number } | undefined;
}

/** The template in a file; undefined for other files. */
export function toSource(object: FolderObject | undefined): TextSource | undefined {
  if (object === undefined) return undefined;
  const body = listTemplates(object).find(({ field }) => field === 'html' || field === 'content');
  return body && { object, text: body.source };
}

export function listOffers(
  { object, text }: TextSource,
  offset: number,
  { world }: FolderWorkspace,
): readonly Offer[] {
  const code = findCode(text, offset)?.text;
  if (code === undefined) return [];
  const offer = (typed: string, names: Iterable<string>, kind: Offer['kind'], about = (_: string) => '') =>
    [...names].map((label) => ({ label, kind, about: about(label), length: typed.length }));
  const snippet = /^\{%-?\s*(?:include|extends|component|import)\s+["']([^"']*)$/.exec(code)?.[1];
  if (snippet !== undefined)
    return offer(snippet, world.snippets.keys(), 'snippet', (name) =>
      describeSnippet(world.snippetObjects.get(name)),
    );
  const list = /\b(?:data|item)\(\s*["']([^"']*)$/.exec(code)?.[1];
  if (list !== undefined) return offer(list, [...world.collections.keys(), ...world.sources], 'collection');
  const [, called = '', argument] = /\b(image|file|asset_url|children)\(\s*["']([^"']*)$/.exec(code) ?? [];
  if (argument !== undefined)
    return offer(argument, listTargets(world.content.objects.values(), called), 'file');
  const block = /^\{%-?\s*block\s+([\w-]*)$/.exec(code)?.[1];
  if (block !== undefined) return offer(block, listLayoutBlocks(text, world), 'block');
  if (isInText(code)) return [];
  const tag = /^\{%-?\s*(\w*)$/.exec(code)?.[1];
  if (tag !== undefined)
    return offer(tag, listWords('tags'), 'tag', (name) => explainWord('tags', name) ?? '');
  const filter = /\|\s*(\w*)$/.exec(code)?.[1];
  if (filter !== undefined)
    return offer(filter, listWords('filters'), 'filter', (name) => explainWord('filters', name) ?? '');
  const params = listParams(object);
  const variables = listVariables(text.slice(0, offset), params, world);
  const [, path, member = ''] = /([\w.]+)\.(\w*)$/.exec(code) ?? [];
  if (path !== undefined)
    return listMembers(path, variables, world).map(({ name, about }) => ({
      label: name,
      kind: 'member',
      about,
      length: member.length,
    }));
  const typed = /\w*$/.exec(code)?.[0] ?? '';
  return [
    ...variables.map(({ name, about }) => ({
      label: name,
      kind: 'variable' as const,
      about: about || (explainWord('variables', name) ?? ''),
      length: typed.length,
    })),
    ...offer(typed, listWords('functions'), 'function', (name) => explainWord('functions', name) ?? ''),
  ];
}

/** Whether the end of a tag is inside a text in quotes. */
function isInText(code: string): boolean {
  return /^(?:[^"']|"[^"]*"|'[^']*')*["'][^"']*$/.test(code) && (code.match(/"/g) ?? []).length % 2 === 1;
}

function listTargets(objects: Iterable<FolderObject>, called: string): readonly string[] {
  const wanted = called === 'asset_url' ? 'asset' : called === 'children' ? 'page' : 'file';
  const names: string[] = [];
  for (const { kind, key } of objects) {
    if (kind !== wanted) continue;
    names.push(kind === 'page' ? `/${key.split('/').slice(1, -1).join('/')}` : key);
  }
  return names;
}

/** Parameters of a block type. */
function listParams({ fields }: FolderObject): readonly Member[] {
  const { schema } = fields;
  if (typeof schema !== 'object' || schema === null) return [];
  return readBlockSchema(schema).params.map(({ name, label, type }) => ({
    name,
    about: `${label || name} (${type})`,
  }));
}

function describeSnippet(object: FolderObject | undefined): string {
  if (object === undefined) return '';
  const { name, description } = object.fields;
  const params = listParams(object).map((param) => `- \`${param.name}\`: ${param.about}`);
  return [`**${String(name)}**`, typeof description === 'string' ? description : '', params.join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Markdown about what stands at a place, with its range. */
export function explain({ object, text }: TextSource, offset: number, { world }: FolderWorkspace) {
  const place = findPlace(text, offset);
  const about = place && describePlace(place, { object, text }, world);
  return place === undefined || about === undefined || about === '' ? undefined : { about, ...place };
}

function describePlace(
  { kind, name, owner = '', start }: NamedPlace,
  { object, text }: TextSource,
  world: FolderWorkspace['world'],
): string | undefined {
  switch (kind) {
    case 'snippet':
      return describeSnippet(world.snippetObjects.get(name));
    case 'tag':
      return explainWord('tags', name);
    case 'filter':
      return explainWord('filters', name);
    case 'collection': {
      const fields = world.collections
        .get(name)
        ?.fields.map((field) => `- \`${field.name}\`: ${field.label || field.name} (${field.type})`);
      return fields && [`**${name}**`, ...fields].join('\n');
    }
    case 'member': {
      const variables = listVariables(text.slice(0, start), listParams(object), world);
      const member = listMembers(owner, variables, world).find((candidate) => candidate.name === name);
      return member && `\`${owner}.${name}\` ${member.about}`;
    }
    case 'name': {
      const variables = listVariables(text.slice(0, start), listParams(object), world);
      const about = variables.find((candidate) => candidate.name === name)?.about;
      return (
        explainWord('functions', name) ?? explainWord('variables', name) ?? (about === '' ? undefined : about)
      );
    }
    case 'block':
      return `The block \`${name}\`.`;
    default:
      return undefined;
  }
}

/** Where what stands at a place is defined. */
export function findDefinitions(
  { object, text }: TextSource,
  offset: number,
  { world }: FolderWorkspace,
): readonly Target[] {
  const place = findPlace(text, offset);
  if (place === undefined) return [];
  const { kind, name } = place;
  if (kind === 'snippet') {
    const snippet = world.snippetObjects.get(name);
    return snippet === undefined ? [] : [{ path: snippet.key, range: undefined }];
  }
  if (kind === 'block') {
    const definitions = listLayouts(text, world).flatMap((layout) => findBlocks(layout, name));
    const own = definitions.length > 0 ? [] : findBlocks(object, name).slice(0, 1);
    return [...definitions, ...own];
  }
  if (kind === 'collection')
    return [{ path: `collections/${name}/collection.json`, range: undefined }].filter(({ path }) =>
      world.content.objects.has(path),
    );
  if (kind !== 'file' && kind !== 'asset' && kind !== 'page') return [];
  const key = findMeaning(name, { kind, collection: null }, (candidate) =>
    world.content.objects.has(candidate),
  );
  return key === undefined ? [] : [{ path: key, range: undefined }];
}

function findBlocks(object: FolderObject, name: string): readonly Target[] {
  const source = toSource(object);
  const places =
    source === undefined ? [] : listPlaces(source.text, 'block').filter((place) => place.name === name);
  return places.map((range) => ({ path: object.key, range }));
}

/** The layouts of a template, nearest first. */
function listLayouts(text: string, world: FolderWorkspace['world']): readonly FolderObject[] {
  const layouts: FolderObject[] = [];
  for (let source: string | undefined = text; source !== undefined; ) {
    const name: string | undefined = /\{%-?\s*extends\s+["']([^"']+)["']/.exec(source)?.[1];
    const layout: FolderObject | undefined = name === undefined ? undefined : world.snippetObjects.get(name);
    if (layout === undefined || layouts.includes(layout)) break;
    layouts.push(layout);
    source = toSource(layout)?.text;
  }
  return layouts;
}

function listLayoutBlocks(text: string, world: FolderWorkspace['world']): ReadonlySet<string> {
  const blocks = listLayouts(text, world).flatMap((layout) =>
    listPlaces(toSource(layout)?.text ?? '', 'block'),
  );
  return new Set(blocks.map(({ name }) => name));
}

/** All places that name the same snippet, block or collection. */
export function findReferences(
  { object, text }: TextSource,
  offset: number,
  { world }: FolderWorkspace,
): readonly Target[] {
  const place = findPlace(text, offset);
  if (place === undefined) return [];
  const { kind, name } = place;
  if (kind !== 'snippet' && kind !== 'block' && kind !== 'collection') return [];
  const related = kind === 'block' ? listFamily(object, world) : [...world.content.objects.values()];
  return related.flatMap((candidate) => findNamed(candidate, kind, name));
}

function findNamed(object: FolderObject, kind: PlaceKind, name: string): readonly Target[] {
  const source = toSource(object);
  if (source === undefined) return [];
  const isSame = (place: NamedPlace) =>
    kind === 'snippet' ? place.name.split('#')[0] === name.split('#')[0] : place.name === name;
  return listPlaces(source.text, kind)
    .filter(isSame)
    .map(({ start, name: found }) => ({
      path: object.key,
      range: {
        start,
        end: start + (kind === 'snippet' ? (found.split('#')[0] ?? found).length : found.length),
      },
    }));
}

/** The templates that share blocks with one: its outermost layout and all that extend it. */
function listFamily(object: FolderObject, world: FolderWorkspace['world']): readonly FolderObject[] {
  const rootOf = (candidate: FolderObject) =>
    listLayouts(toSource(candidate)?.text ?? '', world).at(-1) ?? candidate;
  const root = rootOf(object);
  return [...world.content.objects.values()].filter(
    (candidate) => toSource(candidate) !== undefined && rootOf(candidate).key === root.key,
  );
}

/** What a rename changes; a string says why there is none. */
export function planRename(source: TextSource, offset: number, name: string, workspace: FolderWorkspace) {
  const place = findPlace(source.text, offset);
  if (place === undefined || (place.kind !== 'snippet' && place.kind !== 'block'))
    return 'Snippets and blocks can be renamed.';
  const { world } = workspace;
  if (place.kind === 'block' && !/^[A-Za-z_][\w-]*$/.test(name))
    return `"${name}" cannot be the name of a block.`;
  if (place.kind === 'snippet' && !/^[A-Za-z0-9][\w./-]*$/.test(name))
    return `"${name}" cannot be the name of a snippet.`;
  if (place.kind === 'snippet' && world.snippets.has(name)) return `There is a snippet "${name}" already.`;
  const snippet = place.kind === 'snippet' ? world.snippetObjects.get(place.name) : undefined;
  if (place.kind === 'snippet' && snippet === undefined) return `There is no snippet "${place.name}".`;
  const file = snippet && { from: snippet.key, to: `snippets/${name}.html` };
  return { edits: findReferences(source, offset, workspace), file };
}

/** The canonical form of the file of an object; undefined if it is canonical, or holds what is not understood. */
export function formatFile(
  object: FolderObject,
  text: string,
  { world }: FolderWorkspace,
): string | undefined {
  const formatted = renderFiles(world.content, [object]).get(object.key);
  return formatted === undefined || formatted === text ? undefined : formatted;
}
