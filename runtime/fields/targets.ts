/**
 * What values lead to: files, entries and pages, by their IDs. The only code that knows where values hold IDs. Faults,
 * use, references, answers, batches and bundles all ask it.
 */
import { type FieldDefinition, fieldTypeNames } from './definition.ts';
import { type GroupObject, mapObjects } from './group.ts';
import { linkTargetNames, linkTargets } from './link.ts';

/** What needs to be known of a field. */
export type TargetField = Pick<FieldDefinition, 'name' | 'type'> &
  Partial<Pick<FieldDefinition, 'collection'>> & {
    /** Fields of a group. */
    readonly fields?: readonly TargetField[];
  };

/** The fields or parameters of a stored list, as far as their types are known. */
export function readTargetFields(list: unknown): TargetField[] {
  return (Array.isArray(list) ? list : []).flatMap((definition: unknown) => {
    const { name, type: wanted, fields }: Readonly<Record<string, unknown>> = Object(definition);
    const type = fieldTypeNames.find((known) => known === wanted);
    if (typeof name !== 'string' || type === undefined) return [];
    return [{ name, type, ...(type === 'group' ? { fields: readTargetFields(fields) } : {}) }];
  });
}

/** What a value leads to. */
export interface FieldTarget {
  readonly kind: 'page' | 'item' | 'file';
  readonly id: number;
  /** The collection that an entry must be of; null = any, 0 = none, because it is gone. */
  readonly collection: number | null;
  /** Name of the field, and behind points the place in a group. */
  readonly path: string;
}

type TargetPlace = Omit<FieldTarget, 'id'>;

/** All that a stored value leads to, in its order. */
export function listTargets(value: unknown, field: TargetField): readonly FieldTarget[] {
  if (!canHoldTargets(field)) return [];
  const targets: FieldTarget[] = [];
  replaceTargets(value, field, (target) => {
    targets.push(target);
    return target.id;
  });
  return targets;
}

/** Why a value whose target is gone is refused; continues a sentence that begins with the field. */
export function describeMissing({ kind, id }: Pick<FieldTarget, 'kind' | 'id'>): string {
  return `refers to ${kind === 'item' ? 'entry' : kind} ${id}, which is missing`;
}

/** Whether values of a field may lead to something. */
export function canHoldTargets({ type, fields = [] }: TargetField): boolean {
  switch (type) {
    case 'image':
    case 'file':
    case 'reference':
    case 'references':
    case 'link':
      return true;
    case 'group':
      return fields.some(canHoldTargets);
    default:
      return false;
  }
}

/**
 * The value with other IDs; the same value if none changes. Where `replace` returns null, nothing is left: a list loses
 * the ID, a link becomes null.
 */
export function replaceTargets(
  value: unknown,
  field: TargetField,
  replace: (target: FieldTarget) => number | null,
): unknown {
  return replaceIds(value, field, (id, place) => (typeof id === 'number' ? replace({ ...place, id }) : id));
}

/** The same for a value that nobody has converted: `replace` gets whatever is in the place of an ID. */
export function replaceIds(
  value: unknown,
  field: TargetField,
  replace: (id: unknown, place: TargetPlace) => unknown,
): unknown {
  if (value === null || value === undefined) return value;
  const { type, name: path, collection } = field;
  switch (type) {
    case 'image':
    case 'file':
      return replace(value, { kind: 'file', collection: null, path });
    case 'reference':
    case 'references':
      return replaceEach(value, (id) => replace(id, { kind: 'item', collection: collection ?? 0, path }));
    case 'link':
      return replaceInLink(value, (id, kind) => replace(id, { kind, collection: null, path }));
    case 'group':
      return mapObjects(value, (object, at) => replaceInObject(object, `${path}.${at}`, field, replace));
    default:
      return value;
  }
}

function replaceInObject(
  object: GroupObject,
  at: string,
  { fields = [] }: TargetField,
  replace: (id: unknown, place: TargetPlace) => unknown,
): GroupObject {
  const changed: [string, unknown][] = [];
  for (const field of fields.filter(canHoldTargets)) {
    const value = Object.hasOwn(object, field.name) ? object[field.name] : null;
    const after = replaceIds(value, field, (id, place) => replace(id, { ...place, path: at + place.path }));
    if (after !== value) changed.push([field.name, after]);
  }
  return changed.length === 0 ? object : { ...object, ...Object.fromEntries(changed) };
}

function replaceEach(value: unknown, replace: (id: unknown) => unknown): unknown {
  if (!Array.isArray(value)) return replace(value);
  const list: readonly unknown[] = value;
  const after = list.map(replace);
  if (after.every((id, index) => id === list[index])) return value;
  const left = after.filter((id) => id !== null);
  return left.length === 0 ? null : left;
}

function replaceInLink(link: unknown, replace: (id: unknown, kind: FieldTarget['kind']) => unknown): unknown {
  if (typeof link !== 'object' || link === null) return link;
  for (const name of linkTargetNames) {
    const id: unknown = Object.hasOwn(link, name) ? Reflect.get(link, name) : undefined;
    if (id === undefined || id === null) continue;
    const after = replace(id, linkTargets[name]);
    if (after === null) return null;
    if (after !== id) return { ...link, [name]: after };
  }
  return link;
}
