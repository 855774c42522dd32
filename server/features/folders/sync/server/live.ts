/** What a server answers, as objects that can be compared with those of a folder. */
import { compareText, type FolderFields, type FolderKind } from '../../format/content.ts';
import { FileNames } from '../../format/file-names.ts';
import { toAssetList, toFieldList, toFlow, toNodeParams, toPageLayout } from '../../format/normal.ts';
import { type PlaceLookup, replaceReferences } from '../../format/references/places.ts';
import { isFields, withLineFeeds } from '../../format/text-file.ts';
import {
  type IdentifiedObject,
  type KnownObjects,
  toServerUid,
  toToken,
  type Uid,
} from '../objects/identity.ts';
import { type Json, ServerError } from './api-client.ts';
import { hideSecrets } from './secrets.ts';
import type { Snapshot } from './snapshot.ts';

export interface Live {
  readonly objects: KnownObjects;
  /** Objects as the API answers. */
  readonly states: ReadonlyMap<Uid, Json>;
  /** IDs of folders of the media library by their paths; 0 for the top. */
  readonly folderIds: ReadonlyMap<string, number>;
  readonly warnings: readonly LiveWarning[];
}

export interface LiveWarning {
  readonly uid: Uid;
  readonly code: string;
  readonly message: string;
}

const plain: Partial<Readonly<Record<FolderKind, readonly string[]>>> = {
  page: [
    ...[
      'title',
      'meta_title',
      'description',
      'head',
      'html',
      'html_attrs',
      'body_attrs',
      'lang',
      'published',
    ],
    ...['catch_all', 'no_cache', 'sitemap_exclude', 'noindex', 'nofollow', 'hide_in_nav', 'sitemap_source'],
    ...['blocks', 'og_image_file_id'],
  ],
  snippet: ['name', 'description', 'content', 'folder', 'schema'],
  asset: ['name', 'kind', 'folder', 'content'],
  global_block: ['name', 'folder', 'description', 'blocks'],
  collection: [
    ...[
      'slug',
      'name',
      'folder',
      'public_api',
      'live',
      'singleton',
      'detail_page_id',
      'detail_field',
      'lang',
    ],
  ],
  item: ['published'],
  workflow: ['name', 'description', 'enabled'],
  flow_node: ['key', 'name', 'description', 'color', 'inputs', 'outputs', 'code'],
  pen: ['title', 'html', 'css', 'js', 'public', 'show_code'],
  source: ['slug', 'name', 'method', 'url', 'body', 'list_path', 'cache_ttl', 'timeout'],
  redirect: ['source', 'target', 'status', 'auto'],
  file: ['name', 'alt', 'private', 'focus_x', 'focus_y', 'url', 'sha256'],
};
const ofSites = ['default_site', 'notfound_page_id', 'favicon_file_id', 'robots_txt', 'zone'] as const;
const ids = ['og_image_file_id', 'favicon_file_id', 'notfound_page_id', 'detail_page_id'] as const;

/** @throws ServerError for answers that name a collection that is not there */
export function readLive(snapshot: Snapshot): Live {
  const states = new Map<Uid, Json>();
  for (const [kind, list] of snapshot.objects)
    for (const state of list) states.set(toServerUid(kind, state['id']), state);
  const folders = readFolders(snapshot.folders);
  const warnings: LiveWarning[] = [];
  const context: LiveContext = { snapshot, states, folders, warnings, groups: readGroups(snapshot) };
  const lookup = createLiveLookup(snapshot);
  const objects = new Map<Uid, IdentifiedObject>();
  for (const [kind, list] of snapshot.objects)
    for (const [index, state] of list.entries()) {
      const uid = toServerUid(kind, state['id']);
      const fields = replaceWithTokens(kind, readState(kind, state, context), lookup, { uid, context });
      const rank = kind === 'page' || kind === 'item' ? Number(state['sort']) : index;
      objects.set(uid, { uid, kind, key: undefined, fields, rank });
    }
  const folderIds = new Map([['', 0], ...[...folders].map(([id, path]) => [path, id] as const)]);
  return { objects, states, folderIds, warnings };
}

interface LiveContext {
  readonly snapshot: Snapshot;
  readonly states: ReadonlyMap<Uid, Json>;
  readonly folders: ReadonlyMap<number, string>;
  readonly warnings: LiveWarning[];
  readonly groups: ReadonlyMap<string, readonly GroupMember[]>;
}

function readState(kind: FolderKind, state: Json, context: LiveContext): FolderFields {
  const fields: Record<string, unknown> = Object.fromEntries(
    (plain[kind] ?? []).map((name) => [name, state[name] ?? null]),
  );
  switch (kind) {
    case 'page':
      Object.assign(fields, readPage(state, context));
      break;
    case 'snippet':
      fields['assets'] = toAssetList(state['assets']);
      fields['page_layout'] = toPageLayout(state['page_layout']);
      break;
    case 'collection':
      fields['fields'] = toFieldList(state['fields']);
      break;
    case 'item':
      Object.assign(fields, readItem(state, context));
      break;
    case 'workflow':
      fields['flow'] = toFlow(state['flow']);
      break;
    case 'flow_node':
      fields['params'] = toNodeParams(state['params']);
      break;
    case 'source':
      fields['headers'] = hideSecrets(state, (message) =>
        context.warnings.push({ uid: toServerUid('source', state['id']), code: 'folder.secret', message }),
      );
      break;
    case 'file':
      fields['folder'] = context.folders.get(Number(state['folder_id'])) ?? '';
      break;
    default:
  }
  for (const name of ids) if (fields[name] === 0) fields[name] = null;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, withLineFeeds(value)]));
}

function readPage(state: Json, context: LiveContext): FolderFields {
  const isHome = state['parent_id'] === null;
  const regions = isFields(state['regions']) ? state['regions'] : {};
  return {
    assets: toAssetList(state['assets']),
    translations: readTranslations('page', state, context),
    ...Object.fromEntries(Object.entries(regions).map(([name, value]) => [`regions.${name}`, value])),
    ...(isHome
      ? {
          ...Object.fromEntries(ofSites.map((name) => [name, state[name]])),
          domains: String(state['domains'])
            .split('\n')
            .filter((domain) => domain !== ''),
        }
      : { parent: toToken(toServerUid('page', state['parent_id'])), slug: state['slug'] }),
  };
}

function readItem(state: Json, context: LiveContext): FolderFields {
  const collection = requireCollection(state, context);
  const data = isFields(state['data']) ? state['data'] : {};
  const definitions: readonly unknown[] = Array.isArray(collection['fields']) ? collection['fields'] : [];
  const names = definitions.flatMap((field) => (isFields(field) ? [String(field['name'])] : []));
  return {
    collection: toToken(toServerUid('collection', collection['id'])),
    translations: readTranslations('item', state, context),
    ...Object.fromEntries(names.map((name) => [`data.${name}`, data[name] ?? null])),
  };
}

function requireCollection(state: Json, { states }: LiveContext): Json {
  const found = states.get(toServerUid('collection', state['collection_id']));
  if (found === undefined) throw new ServerError('The content has changed meanwhile. Try again.');
  return found;
}

interface GroupMember {
  readonly uid: Uid;
  readonly lang: string;
}

/** The language versions of pages and entries by their group. */
function readGroups({ objects }: Snapshot): ReadonlyMap<string, readonly GroupMember[]> {
  const groups = new Map<string, GroupMember[]>();
  const langs = new Map((objects.get('collection') ?? []).map(({ id, lang }) => [id, String(lang)]));
  for (const kind of ['page', 'item'] as const)
    for (const state of objects.get(kind) ?? []) {
      const group = `${kind} ${String(state['translation_group'])}`;
      if (state['translation_group'] === '') continue;
      const lang = kind === 'page' ? String(state['effective_lang']) : langs.get(state['collection_id']);
      const members = groups.get(group) ?? [];
      members.push({ uid: toServerUid(kind, state['id']), lang: lang ?? '' });
      groups.set(group, members);
    }
  return groups;
}

function readTranslations(kind: FolderKind, state: Json, { groups }: LiveContext): FolderFields {
  const members = groups.get(`${kind} ${String(state['translation_group'])}`) ?? [];
  const own = toServerUid(kind, state['id']);
  return Object.fromEntries(
    members.filter(({ uid }) => uid !== own).map(({ uid, lang }) => [lang, toToken(uid)]),
  );
}

/** Paths of the folders of the library, such that no two are the same on any file system. */
function readFolders(folders: readonly Json[]): ReadonlyMap<number, string> {
  const paths = new Map<number, string>();
  const names = new FileNames();
  const sorted = folders.toSorted(
    (left, right) =>
      compareText(String(left['name']), String(right['name'])) || Number(left['id']) - Number(right['id']),
  );
  const visit = (parent: number, path: string): void => {
    for (const folder of sorted) {
      const id = Number(folder['id']);
      if (Number(folder['parent_id']) !== parent || paths.has(id)) continue;
      const own = names.escape(path, String(folder['name']), '');
      paths.set(id, own);
      visit(id, `${own}/`);
    }
  };
  visit(0, '');
  return paths;
}

function createLiveLookup({ objects }: Snapshot): PlaceLookup {
  const find = (kind: FolderKind, name: string) =>
    new Map((objects.get(kind) ?? []).map((state) => [String(state[name]), state] as const));
  const [snippets, trees] = [find('snippet', 'name'), find('global_block', 'id')];
  const collections = find('collection', 'id');
  return {
    findSchema: (name) => snippets.get(name)?.['schema'],
    findTree: (id) => trees.get(String(id))?.['blocks'],
    findFields: (token) => collections.get(/^⟪collection:(\d+)⟫$/.exec(token)?.[1] ?? '')?.['fields'],
  };
}

const nouns = { item: 'entry', global_block: 'global block' } as const;

function replaceWithTokens(
  kind: FolderKind,
  fields: FolderFields,
  lookup: PlaceLookup,
  { uid, context }: { readonly uid: Uid; readonly context: LiveContext },
): FolderFields {
  return replaceReferences(kind, fields, lookup, (value, place) => {
    if (typeof value !== 'number') return value;
    const target = toServerUid(place.kind, value);
    if (context.states.has(target)) return toToken(target);
    const noun = Reflect.get(nouns, place.kind) ?? place.kind;
    context.warnings.push({
      uid,
      code: 'folder.idReference',
      message: `"${place.field}" names the ${noun} ${value}, which is not here. The ID stays.`,
    });
    return value;
  });
}
