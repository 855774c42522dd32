/** Values that pages show as HTML, wherever they lie in the values of fields. */

import type { FieldDefinition } from '../../../runtime/fields/definition.ts';
import { listObjects } from '../../../runtime/fields/group.ts';
import type { MarkupValue } from '../../../runtime/tasks/messages/checks.ts';

/** Markup with its place. */
export interface PlacedMarkup extends MarkupValue {
  /** Names the place also after others were moved; the same as `field` where nothing moves. */
  readonly key: string;
}

/** The markup in a stored value of a field, that in groups included. */
export function* listFieldMarkup(
  value: unknown,
  field: Pick<FieldDefinition, 'name' | 'type' | 'fields'>,
  at: Pick<PlacedMarkup, 'field' | 'key'>,
): Generator<PlacedMarkup> {
  const { name, type, fields = [] } = field;
  const place = { field: at.field + name, key: at.key + name };
  if ((type === 'html' || type === 'markdown') && typeof value === 'string') {
    yield { ...place, type, text: value };
    return;
  }
  if (type !== 'group') return;
  for (const [object, index] of listObjects(value))
    for (const inner of fields) {
      const below = { field: `${place.field}.${index}`, key: `${place.key}.${index}` };
      if (Object.hasOwn(object, inner.name)) yield* listFieldMarkup(object[inner.name], inner, below);
    }
}
