import type { FieldDefinition } from '../fields/definition.ts';
import { isLink } from '../fields/link.ts';
import { createLinkValue, type LinkMemo, type LinkView } from './link-value.ts';

/**
 * The value of a field with parts as templates and `/data` see it, in an entry and in a block alike. Null for what does
 * not fit since the field has changed.
 *
 * @param stored as it is stored
 */
export function prepareFieldValue(
  memo: LinkMemo,
  { type }: FieldDefinition,
  stored: unknown,
  view: LinkView,
): unknown {
  if (type === 'link') return isLink(stored) ? createLinkValue(memo, stored, view) : null;
  return stored;
}
