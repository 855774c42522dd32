/** Finds again what a comment is about, whatever was changed around it. */
import type { Comment } from './model.ts';

/** What a comment is about within an object; null where it is about all of it. */
export interface Anchor {
  readonly field: string | null;
  readonly block: string | null;
  readonly quote: string | null;
}

/**
 * The narrowest part of what a comment is about that is still there. A block counts wherever it was moved to, a quote
 * wherever it is in its block or field.
 *
 * @param fields of the object with the change set; undefined if the object is gone
 */
export function findPlace(
  fields: Readonly<Record<string, unknown>> | undefined,
  { field, block, quote }: Anchor,
): Comment['place'] {
  if (fields === undefined) return 'gone';
  const value = field === null ? fields : fields[field];
  const found = block === null ? undefined : findBlock(value, block);
  const within = found ?? (block === null ? value : undefined);
  if (quote !== null && within !== undefined && hasQuote(within, quote)) return 'quote';
  if (found !== undefined) return 'block';
  return field !== null && value !== undefined ? 'field' : 'object';
}

/** The block of a tree with an ID. */
function findBlock(value: unknown, id: string): object | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value) && Reflect.get(value, 'id') === id) return value;
  for (const inner of Object.values(value)) {
    const found = findBlock(inner, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a text within a value has these words, with or without the tags between them. */
function hasQuote(value: unknown, quote: string): boolean {
  if (typeof value === 'string')
    return value.includes(quote) || toPlainText(value).includes(toPlainText(quote));
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => hasQuote(inner, quote));
}

/** What people read of a text with tags, so that a word that became bold is still the same word. */
function toPlainText(text: string): string {
  return text
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
