/** The keys of objects in a folder. A name that was once given stays. */
import { compareNumbered, compareText } from '../../format/content.ts';
import { decodeName, encodeName, FileNames, toFileSlug, toSlug } from '../../format/file-names.ts';
import { toCollectionKey } from '../../format/kinds/collections.ts';
import { toPageKey } from '../../format/kinds/pages.ts';
import { toRedirectKey } from '../../format/kinds/redirects.ts';
import { readPathName } from '../../format/kinds/simple.ts';
import { type IdentifiedObject, type KnownObjects, readToken, type Uid } from './identity.ts';

/**
 * Names all objects.
 *
 * @param findPrevious the key that an object has had
 */
export function nameObjects(
  objects: KnownObjects,
  findPrevious: (uid: Uid) => string | undefined,
): ReadonlyMap<Uid, string> {
  const keys = new Map<Uid, string>();
  const names = new FileNames();
  const sorted = [...objects.values()].toSorted(compareForNaming);
  const named = sorted.filter(({ kind }) => kind !== 'item');
  for (const list of [named, sorted.filter(({ kind }) => kind === 'item')]) {
    const isKept = (object: IdentifiedObject) => {
      const previous = findPrevious(object.uid);
      const isPossible = previous !== undefined && fits(object, previous, objects) && !names.has(previous);
      if (isPossible) keys.set(object.uid, names.take(previous));
      return isPossible;
    };
    const unnamed = list.filter((one) => !isKept(one));
    nameFolders(unnamed, names);
    for (const object of unnamed) keys.set(object.uid, createKey(object, objects, names));
  }
  return keys;
}

/** Which of two folders is escaped depends on their names only. */
function nameFolders(objects: readonly IdentifiedObject[], names: FileNames): void {
  const folders = objects
    .filter(({ kind }) => kind === 'asset')
    .map(({ fields }) => String(fields['folder']));
  for (const folder of folders.toSorted(compareText)) enterFolders('assets/', splitFolder(folder), names);
}

function splitFolder(folder: string): readonly string[] {
  return folder === '' ? [] : folder.split('/');
}

/** Entries in their manual order, others as they were created. */
function compareForNaming(left: IdentifiedObject, right: IdentifiedObject): number {
  const isEntry = left.kind === 'item' && right.kind === 'item';
  if (isEntry) {
    const collections = compareText(String(left.fields['collection']), String(right.fields['collection']));
    return collections || left.rank - right.rank;
  }
  if (left.kind === 'snippet' && right.kind === 'snippet')
    return compareText(String(left.fields['name']), String(right.fields['name']));
  if (left.kind === 'file' && right.kind === 'file')
    return compareNumbered(String(left.fields['url']), String(right.fields['url']));
  return idOf(left.uid) - idOf(right.uid) || compareText(left.uid, right.uid);
}

function idOf(uid: Uid): number {
  return uid.startsWith('new:') ? Number.MAX_SAFE_INTEGER : Number(uid.slice(uid.indexOf(':') + 1));
}

/** The path of a page by the pages that it lies in. */
function findPagePath(page: IdentifiedObject, objects: KnownObjects): string {
  const slugs: string[] = [];
  const seen = new Set<Uid>();
  for (let current: IdentifiedObject | undefined = page; current !== undefined && !seen.has(current.uid); ) {
    seen.add(current.uid);
    const parent = readToken(current.fields['parent']);
    if (parent === undefined) break;
    slugs.unshift(String(current.fields['slug']));
    current = objects.get(parent);
  }
  return `/${slugs.join('/')}`;
}

/** Where an object must lie, whatever it is called. */
function findFolder({ kind, fields }: IdentifiedObject, objects: KnownObjects, names: FileNames): string {
  const folder = String(fields['folder'] ?? '');
  switch (kind) {
    case 'asset':
      return enterFolders('assets/', splitFolder(folder), names);
    case 'global_block':
      return 'global-blocks/';
    case 'workflow':
      return 'workflows/';
    case 'pen':
      return 'pens/';
    case 'item': {
      const slug = objects.get(readToken(fields['collection']) ?? '')?.fields['slug'];
      return `${toCollectionKey(String(slug)).slice(0, -'collection.json'.length)}entries/`;
    }
    default:
      return folder === '' ? 'media/' : `media/${folder}/`;
  }
}

function enterFolders(top: string, parts: readonly string[], names: FileNames): string {
  let path = top;
  for (const part of parts) path = names.folder(path, part);
  return path;
}

/** Whether a key can still be that of an object. */
function fits(object: IdentifiedObject, key: string, objects: KnownObjects): boolean {
  const { kind, fields } = object;
  const fixed = createFixedKey(object, objects);
  if (fixed !== undefined) return fixed === key;
  if (kind === 'snippet') return readPathName(key, '.html') === fields['name'];
  if (kind === 'asset') {
    const folder = key.split('/').slice(1, -1).map(decodeName).join('/');
    return folder === fields['folder'] && key.endsWith(`.${String(fields['kind'])}`);
  }
  return key.slice(0, key.lastIndexOf('/') + 1) === findFolder(object, objects, new FileNames());
}

/** The key of an object whose name is its identity. */
function createFixedKey(
  { kind, fields, ...rest }: IdentifiedObject,
  objects: KnownObjects,
): string | undefined {
  switch (kind) {
    case 'page':
      return toPageKey(findPagePath({ kind, fields, ...rest }, objects));
    case 'collection':
      return toCollectionKey(String(fields['slug']));
    case 'source':
      return `sources/${encodeName(`${String(fields['slug'])}.json`)}`;
    case 'flow_node':
      return `nodes/${encodeName(`${String(fields['key'])}.json`)}`;
    case 'redirect':
      return toRedirectKey(String(fields['source']));
    default:
      return undefined;
  }
}

function createKey(object: IdentifiedObject, objects: KnownObjects, names: FileNames): string {
  const { kind, fields } = object;
  const fixed = createFixedKey(object, objects);
  if (fixed !== undefined) return names.take(fixed);
  if (kind === 'snippet') {
    const parts = String(fields['name']).split('/');
    const folder = enterFolders('snippets/', parts.slice(0, -1), names);
    return names.escape(folder, parts.at(-1) ?? '', '.html');
  }
  const folder = findFolder(object, objects, names);
  switch (kind) {
    case 'asset': {
      const extension = `.${String(fields['kind'])}`;
      const name = String(fields['name']);
      const stem = name.endsWith(extension) ? name.slice(0, -extension.length) : name;
      return names.number(
        folder,
        stem === encodeName(stem) && stem !== '' ? stem : toSlug(stem) || 'asset',
        extension,
      );
    }
    case 'file': {
      const address = String(fields['url']);
      const extension = address.slice(address.lastIndexOf('.') + 1);
      const slug = toFileSlug(String(fields['name']), extension);
      return names.number(folder, slug.slice(0, -extension.length - 1), `.${extension}`);
    }
    case 'item':
      return names.number(folder, findEntryName(object, objects), '');
    default: {
      const name = String(fields['name'] ?? fields['title'] ?? '');
      return names.number(folder, toSlug(name) || kind.replace('_', '-'), '.json');
    }
  }
}

/** The last part of the address of an entry, else its title. */
function findEntryName({ fields }: IdentifiedObject, objects: KnownObjects): string {
  const collection = objects.get(readToken(fields['collection']) ?? '');
  const field = String(collection?.fields['detail_field'] ?? 'slug');
  const named = fields[`data.${field}`];
  if (typeof named === 'string' && toSlug(named) !== '') return toSlug(named);
  const title = Object.entries(fields).find(
    ([name, value]) =>
      name.startsWith('data.') && ['title', 'name'].includes(name.slice(5)) && typeof value === 'string',
  );
  const first = Object.entries(fields).find(
    ([name, value]) => name.startsWith('data.') && typeof value === 'string',
  );
  return toSlug(String((title ?? first)?.[1] ?? '')) || 'entry';
}
