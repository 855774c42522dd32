/** The objects of a folder: which of them are objects that the base or the server has. */
import {
  compareText,
  type FolderContent,
  type FolderFields,
  type FolderObject,
} from '../../format/content.ts';
import { toCollectionKey } from '../../format/kinds/collections.ts';
import { readMediaFolder } from '../../format/kinds/media.ts';
import { homeKey, toPageKey, toPagePath } from '../../format/kinds/pages.ts';
import { toAssetList, toFieldList, toNodeParams, toPageLayout } from '../../format/normal.ts';
import { createLookup, findMeaning } from '../../format/references/names.ts';
import { replaceReferences } from '../../format/references/places.ts';
import { isFields } from '../../format/text-file.ts';
import { type IdentifiedObject, type KnownObjects, toToken, type Uid } from './identity.ts';
import { nameObjects } from './naming.ts';
import { findMoves } from './similarity.ts';

export interface Mine {
  readonly objects: KnownObjects;
  /** As the folder has them. */
  readonly sources: ReadonlyMap<Uid, FolderObject>;
}

export function readMine({ objects }: FolderContent, base: KnownObjects, live: KnownObjects): Mine {
  const uids = findUids(objects, base, live);
  const sources = new Map<Uid, FolderObject>();
  for (const [key, uid] of uids) {
    const object = objects.get(key);
    if (object !== undefined) sources.set(uid, object);
  }
  const known = new Map<Uid, IdentifiedObject>();
  const ranks = findRanks([...objects.values()]);
  const groups = readGroups(objects);
  const lookup = createLookup({ objects });
  for (const [uid, object] of sources) {
    const { kind, key } = object;
    const named = replaceReferences(kind, object.fields, lookup, (value, place) => {
      const meaning = findMeaning(value, place, (candidate) => objects.has(candidate));
      const target = meaning === undefined ? undefined : uids.get(meaning);
      return target === undefined ? value : toToken(target);
    });
    const translations = Object.fromEntries(
      [...(groups.get(key) ?? [])].map(([lang, other]) => [lang, toToken(uids.get(other) ?? other)]),
    );
    const fields = complete(object, named, uids, translations);
    known.set(uid, { uid, kind, key, fields, rank: ranks.get(key) ?? 0 });
  }
  return { objects: known, sources };
}

/** The identity of each key. */
function findUids(
  objects: FolderContent['objects'],
  base: KnownObjects,
  live: KnownObjects,
): ReadonlyMap<string, Uid> {
  const uids = new Map<string, Uid>();
  const vanished: IdentifiedObject[] = [];
  const keysOfBase = new Map<string, Uid>();
  for (const object of base.values()) {
    if (object.key === undefined) continue;
    keysOfBase.set(object.key, object.uid);
    if (!objects.has(object.key)) vanished.push(object);
  }
  const added: FolderObject[] = [];
  for (const object of objects.values()) {
    const uid = keysOfBase.get(object.key);
    if (uid === undefined) added.push(object);
    else uids.set(object.key, uid);
  }
  const moves = findMoves(vanished, added, ({ key, kind }) =>
    kind === 'item' ? (keysOfBase.get(toCollectionOf(key)) ?? '') : '',
  );
  for (const [key, uid] of moves) uids.set(key, uid);
  pairWithLive(
    added.filter(({ key }) => !moves.has(key)),
    uids,
    base,
    live,
  );
  return uids;
}

function toCollectionOf(key: string): string {
  return `${key.split('/').slice(0, 2).join('/')}/collection.json`;
}

/** What the base does not have is the object that the server calls the same, else it is new. */
function pairWithLive(
  added: readonly FolderObject[],
  uids: Map<string, Uid>,
  base: KnownObjects,
  live: KnownObjects,
): void {
  const keys = nameObjects(live, (uid) => base.get(uid)?.key);
  const byKey = new Map<string, Uid>();
  for (const [uid, key] of keys) if (!base.has(uid)) byKey.set(key, uid);
  for (const { key, kind } of added) {
    const uid = byKey.get(key);
    const isSame = uid !== undefined && live.get(uid)?.kind === kind;
    uids.set(key, isSame ? uid : `new:${key}`);
  }
}

/** The fields as the server has them, with the place of the object. */
function complete(
  { kind, key, fields: own }: FolderObject,
  named: FolderFields,
  uids: ReadonlyMap<string, Uid>,
  translations: FolderFields,
): FolderFields {
  const { order: _order, collection: _collection, translations: _translations, ...fields } = named;
  switch (kind) {
    case 'page': {
      const assets = toAssetList(fields['assets']);
      if (key === homeKey) return { ...fields, assets, translations };
      const path = toPagePath(key);
      const slash = path.lastIndexOf('/');
      const parent = uids.get(toPageKey(path.slice(0, slash))) ?? uids.get(homeKey) ?? `new:${homeKey}`;
      return { ...fields, assets, translations, parent: toToken(parent), slug: path.slice(slash + 1) };
    }
    case 'snippet':
      return {
        ...fields,
        assets: toAssetList(fields['assets']),
        page_layout: toPageLayout(fields['page_layout']),
      };
    case 'collection':
      return { ...fields, fields: toFieldList(fields['fields']) };
    case 'item': {
      const collection = toCollectionKey(String(own['collection']));
      return { ...fields, translations, collection: toToken(uids.get(collection) ?? `new:${collection}`) };
    }
    case 'flow_node':
      return { ...fields, params: toNodeParams(fields['params']) };
    case 'file':
      return { ...fields, folder: readMediaFolder(key) };
    default:
      return fields;
  }
}

/** The place of each page and entry among its siblings: by `order`, equal or missing by name. */
function findRanks(objects: readonly FolderObject[]): ReadonlyMap<string, number> {
  const siblings = new Map<string, FolderObject[]>();
  for (const object of objects) {
    if (object.kind !== 'page' && object.kind !== 'item') continue;
    const folder =
      object.kind === 'page'
        ? `pages ${parentPath(object.key)}`
        : object.key.slice(0, object.key.lastIndexOf('/'));
    const list = siblings.get(folder) ?? [];
    list.push(object);
    siblings.set(folder, list);
  }
  const ranks = new Map<string, number>();
  for (const list of siblings.values())
    for (const [rank, { key }] of list.toSorted(compareSiblings).entries()) ranks.set(key, rank);
  return ranks;
}

function parentPath(key: string): string {
  const path = toPagePath(key);
  return path === '/' ? '' : path.slice(0, path.lastIndexOf('/')) || '/';
}

function compareSiblings(left: FolderObject, right: FolderObject): number {
  return orderOf(left) - orderOf(right) || compareText(findSortName(left), findSortName(right));
}

/** Those without a number come after the others. */
function orderOf({ fields }: FolderObject): number {
  return typeof fields['order'] === 'number' ? fields['order'] : Number.MAX_VALUE;
}

/** What siblings are sorted by: their slug or the name of their file. */
export function findSortName({ kind, key }: Pick<FolderObject, 'kind' | 'key'>): string {
  return kind === 'page' ? toPagePath(key) : key;
}

/** The language versions of each key, completed from what the others of the group say. */
function readGroups(objects: FolderContent['objects']): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const groups = new Map<string, Map<string, string>>();
  const langs = new Map<string, string>();
  const has = (key: string) => objects.has(key);
  for (const { kind, key, fields } of objects.values()) {
    const { translations } = fields;
    if ((kind !== 'page' && kind !== 'item') || !isFields(translations)) continue;
    for (const [lang, value] of Object.entries(translations)) {
      const place = { kind, collection: fields['collection'] ?? null } as const;
      const other = findMeaning(value, place, has);
      if (other === undefined || other === key) continue;
      langs.set(other, lang);
      const group = new Map([
        ...(groups.get(key) ?? [[key, key]]),
        ...(groups.get(other) ?? [[other, other]]),
      ]);
      for (const member of group.keys()) groups.set(member, group);
    }
  }
  return new Map(
    [...groups].map(([key, group]) => [
      key,
      new Map(
        [...group.keys()]
          .filter((member) => member !== key)
          .map((member) => [langs.get(member) ?? ownLang(objects, member), member] as const),
      ),
    ]),
  );
}

/** The language of an object that no other one names: its own, or that of the page above. */
function ownLang(objects: FolderContent['objects'], key: string): string {
  const object = objects.get(key);
  if (object?.kind === 'item') return String(objects.get(toCollectionOf(key))?.fields['lang'] ?? '');
  for (let path = toPagePath(key); ; path = path.slice(0, path.lastIndexOf('/')) || '/') {
    const lang = objects.get(toPageKey(path))?.fields['lang'];
    if (typeof lang === 'string' && lang !== '') return lang;
    if (path === '/') return 'de';
  }
}
