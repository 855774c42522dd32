/** Bodies of requests from the fields of objects: names are IDs again. */
import type { FolderFields } from '../../format/content.ts';
import { type PlaceLookup, replaceReferences } from '../../format/references/places.ts';
import { isFields } from '../../format/text-file.ts';
import { type IdentifiedObject, readToken, type Uid } from '../objects/identity.ts';
import type { Json } from './api-client.ts';
import { revealSecrets } from './secrets.ts';

/** What stands beside the objects when bodies are made. */
export interface BodyContext {
  readonly lookup: PlaceLookup;
  /** The ID of an object on the server; undefined while it has none. */
  findId(uid: Uid): number | undefined;
  /** The ID of a folder of the media library; undefined while it has none. */
  findFolderId(path: string): number | undefined;
  /** The object as the server answers. */
  findState(uid: Uid): Json | undefined;
}

export interface RequestBody {
  readonly data: Readonly<Record<string, unknown>>;
  /** Fields that must wait, because they refer to what has no ID yet. */
  readonly waiting: readonly string[];
}

/** Fields that are no part of bodies: they have operations of their own. */
const apart: ReadonlySet<string> = new Set(['parent', 'collection', 'translations', 'sha256', 'url', 'auto']);
const unchangeable: Partial<Readonly<Record<string, readonly string[]>>> = {
  asset: ['kind'],
  flow_node: ['key'],
};

/** @param names the fields that are wanted */
export function toBody(
  object: IdentifiedObject,
  names: readonly string[],
  context: BodyContext,
): RequestBody {
  const { kind, uid } = object;
  const isNew = context.findState(uid) === undefined;
  const kept = names.filter(
    (name) =>
      (!apart.has(name) || (name === 'url' && kind === 'source')) &&
      (isNew || unchangeable[kind]?.includes(name) !== true),
  );
  const data: Record<string, unknown> = {};
  const waiting: string[] = [];
  for (const name of kept) {
    const value = toValue(object, name, context);
    if (value === undefined) waiting.push(name);
    else addValue(data, kind, name, value.id);
  }
  if (waiting.includes('fields') && 'detail_field' in data) {
    // It names one of the fields.
    delete data['detail_field'];
    waiting.push('detail_field');
  }
  return { data, waiting };
}

/** Values of entries and regions stand in an object of their own. */
function addValue(data: Record<string, unknown>, kind: string, name: string, value: unknown): void {
  const prefix = kind === 'item' ? 'data.' : kind === 'page' ? 'regions.' : undefined;
  if (prefix === undefined || !name.startsWith(prefix)) {
    data[name] = value;
    return;
  }
  const outer = prefix.slice(0, -1);
  const inside = isFields(data[outer]) ? data[outer] : {};
  data[outer] = { ...inside, [name.slice(prefix.length)]: value };
}

const zeros: ReadonlySet<string> = new Set([
  ...['og_image_file_id', 'favicon_file_id', 'notfound_page_id', 'detail_page_id'],
]);

/** The value as the server takes it; undefined if it must wait. */
function toValue(
  { kind, fields, uid }: IdentifiedObject,
  name: string,
  context: BodyContext,
): { readonly id: unknown } | undefined {
  const value = fields[name] ?? null;
  if (kind === 'page' && name === 'domains')
    return { id: Array.isArray(value) ? value.join('\n') : String(value ?? '') };
  if (kind === 'source' && name === 'headers')
    return { id: revealSecrets(isFields(value) ? value : {}, context.findState(uid)) };
  if (zeros.has(name) && value === null) return { id: 0 };
  if (kind === 'page' && name === 'sitemap_source' && value === null) return { id: null };
  const scope: FolderFields = kind === 'item' ? { collection: fields['collection'] } : {};
  let isWaiting = false;
  const replaced = replaceReferences(kind, { ...scope, [name]: value }, context.lookup, (part) => {
    const target = readToken(part);
    if (target === undefined) return part;
    const id = context.findId(target);
    isWaiting ||= id === undefined;
    return id ?? part;
  });
  return isWaiting ? undefined : { id: replaced[name] };
}

/** Without what a new object has anyway, so that creations are small. */
export function listNewFields({ kind, fields }: IdentifiedObject): string[] {
  // The default is no name of a field, so only others can be sent.
  const isDefault = (name: string) =>
    kind === 'collection' && name === 'detail_field' && fields[name] === 'slug';
  // A value of an entry that is not sent gets the default of its field.
  return Object.keys(fields).filter(
    (name) => (fields[name] !== null || name.startsWith('data.')) && !isDefault(name),
  );
}
