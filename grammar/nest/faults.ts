/** Errors for tags that do not pair up. */
import { didYouMean, errorAt, type TemplateError } from '../errors.ts';
import { type EndTag, type Item, knownTags, pairedTags, type Tag } from '../items.ts';
import type { Cursor, Opened } from './cursor.ts';

export function unknownTag(cursor: Cursor, item: Extract<Item, { readonly kind: 'unknown' }>): TemplateError {
  return errorAt(
    cursor.text,
    item.start,
    `unknown tag "${item.tag.slice(0, 40)}"${didYouMean(item.tag, knownTags)}`,
  );
}

export function misplaced(cursor: Cursor, tag: Tag, opened: Opened | undefined): TemplateError {
  if (opened === undefined)
    return errorAt(cursor.text, tag.start, `{% ${tag.tag} %} closes nothing: no tag is open here`);
  const { line } = errorAt(cursor.text, opened.start, '');
  return errorAt(
    cursor.text,
    tag.start,
    `unexpected {% ${tag.tag} %}: {% ${opened.tag} %} of line ${line} is still open, expected ${closersOf(opened)}`,
  );
}

export function neverClosed(cursor: Cursor, opened: Opened): TemplateError {
  return errorAt(
    cursor.text,
    opened.start,
    `{% ${opened.tag} %} is never closed, expected ${closersOf(opened)}`,
  );
}

function closersOf(opened: Opened): string {
  const { between, end }: { between: readonly string[]; end: EndTag } = pairedTags[opened.tag];
  const list = [...between, end].map((tag) => `{% ${tag} %}`);
  const last = list.pop();
  return list.length === 0 ? `${last}` : `${list.join(', ')} or ${last}`;
}
