/** Errors for tags that do not pair up. */
import { errorAt, type TemplateError } from '../errors.ts';
import { foreignTags } from '../foreign.ts';
import { type EndTag, type Item, knownTags, pairedTags, type Tag } from '../items.ts';
import { asQuestion, nearest } from '../suggest.ts';
import type { Cursor, PairedStartTag } from './cursor.ts';

export function unknownTag(cursor: Cursor, item: Extract<Item, { readonly kind: 'unknown' }>): TemplateError {
  const meant = item.tag === 'end' ? endOf(cursor) : nearest(item.tag, knownTags, foreignTags);
  return errorAt(cursor.text, item.start, `unknown tag "${item.tag.slice(0, 40)}"${asQuestion(meant)}`);
}

/** The tag that closes the innermost open tag. */
function endOf({ open }: Cursor): string | undefined {
  const opened = open.at(-1);
  return opened && pairedTags[opened.tag].end;
}

export function misplaced(cursor: Cursor, tag: Tag, opened: PairedStartTag | undefined): TemplateError {
  if (opened === undefined)
    return errorAt(cursor.text, tag.start, `{% ${tag.tag} %} closes nothing: no tag is open here`);
  const { line } = errorAt(cursor.text, opened.start, '');
  return errorAt(
    cursor.text,
    tag.start,
    `unexpected {% ${tag.tag} %}: {% ${opened.tag} %} of line ${line} is still open, expected ${closersOf(opened)}`,
  );
}

export function neverClosed(cursor: Cursor, opened: PairedStartTag): TemplateError {
  return errorAt(
    cursor.text,
    opened.start,
    `{% ${opened.tag} %} is never closed, expected ${closersOf(opened)}`,
  );
}

function closersOf(opened: PairedStartTag): string {
  const { between, end }: { between: readonly string[]; end: EndTag } = pairedTags[opened.tag];
  const list = [...between, end].map((tag) => `{% ${tag} %}`);
  const last = list.pop();
  return list.length === 0 ? `${last}` : `${list.join(', ')} or ${last}`;
}
