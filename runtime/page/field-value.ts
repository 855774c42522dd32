/** Values with parts as templates and `/data` see them, in an entry and in a block alike. */
import type { FieldDefinition } from '../fields/definition.ts';
import { type GroupObject, mapObjects } from '../fields/group.ts';
import { isLink } from '../fields/link.ts';
import { fieldTypes } from '../fields/types.ts';
import { createLinkValue, type LinkMemo, type LinkView } from './link-value.ts';

/** What values are prepared with. */
export interface FieldValueContext {
  readonly memo: LinkMemo;
  readonly view: LinkView;
  /** The entry that a reference in a group leads to; absent = references stay IDs. */
  readonly linked?: (collectionId: number, id: number) => unknown;
}

/**
 * Null for what does not fit since the field has changed.
 *
 * @param stored as it is stored
 */
export function prepareFieldValue(
  field: FieldDefinition,
  stored: unknown,
  context: FieldValueContext,
): unknown {
  switch (field.type) {
    case 'link':
      return isLink(stored) ? createLinkValue(context.memo, stored, context.view) : null;
    case 'group':
      return typeof stored === 'object' ? prepareGroup(field, stored, context) : null;
    case 'place':
      return typeof stored === 'object' ? stored : null;
    default:
      return stored;
  }
}

function prepareGroup(
  { fields = [] }: FieldDefinition,
  stored: object | null,
  context: FieldValueContext,
): unknown {
  const prepared = mapObjects(stored, (object) => prepareObject(fields, object, context));
  return Array.isArray(prepared) ? Object.freeze(prepared) : prepared;
}

function prepareObject(
  fields: readonly FieldDefinition[],
  object: GroupObject,
  context: FieldValueContext,
): object {
  const value: Record<string, unknown> = Object.create(null);
  const { linked } = context;
  for (const field of fields) {
    const stored = Object.hasOwn(object, field.name) ? object[field.name] : null;
    if (linked === undefined || stored === null || fieldTypes[field.type].refersTo !== 'item') {
      value[field.name] = prepareFieldValue(field, stored, context);
      continue;
    }
    const find = (id: unknown) => (typeof id === 'number' ? linked(field.collection ?? 0, id) : undefined);
    // Read when a template looks at it, so that only that depends on the entry.
    const get = () =>
      Array.isArray(stored) ? stored.flatMap((id) => find(id) ?? []) : (find(stored) ?? null);
    Object.defineProperty(value, field.name, { enumerable: true, get });
  }
  return Object.freeze(value);
}
