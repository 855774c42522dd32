import { FilterError } from '../../values/limits.ts';
import { htmlTokens, rawText } from './html-tokens.ts';

/** Deepest nesting of tags that appear only after other tags are removed, as in `<<b>p>`. */
const maxStripPasses = 50;

/** Most characters that all passes together may read. The first two passes are always made. */
const maxStripWork = 4 * 1024 * 1024;

/** Removes tags and comments until none is left. The result is not safe: it may still contain a `<`. */
export function stripTags(text: string): string {
  if (!text.includes('<')) return text;
  return stripPlainTags(text) ?? stripAllTags(text);
}

/** Undefined if something else than tags, or an unfinished entity, is among the tags. */
function stripPlainTags(html: string): string | undefined {
  const text = html.replace(plainTag, '');
  if (text.includes('<')) return undefined;
  return html.includes('&') && html.search(unfinishedEntity) !== -1 ? undefined : text;
}

/** A tag as most are, without elements whose content is no HTML. Each part begins where the one before ends. */
const plainTag = /<(?:\/[a-z][^<>]*|(?!script|style)[a-z][^<>"'=]*(?:=(?:"[^"<>]*"|'[^'<>]*')[^<>"'=]*)*)>/gi;

/** The same for all texts. */
export function stripAllTags(text: string): string {
  let current = text;
  let work = 0;
  for (let pass = 0; current.includes('<') && current.includes('>'); pass += 1) {
    work += current.length;
    if (pass === maxStripPasses || (pass > 1 && work > maxStripWork)) {
      throw new FilterError(`striptags found tags nested over ${pass} deep`);
    }
    const stripped = textOf(current);
    if (tagStarts(stripped) === tagStarts(current)) break;
    current = stripped;
  }
  return current;
}

/** The text between the tags. As in Python's parser, an entity that something else ends gets the missing `;`. */
function textOf(html: string): string {
  let text = '';
  let last = '';
  let isRaw = false;
  for (const token of htmlTokens(html)) {
    text += last === '' || isRaw ? last : finished(`${last}<`).slice(0, -1);
    last = token.type === 'text' ? token.text : '';
    if (token.type !== 'text') isRaw = token.type === 'start' && rawText.has(token.name);
  }
  return text + (isRaw ? last : finished(last));
}

function finished(text: string): string {
  return text.includes('&') ? text.replace(unfinishedEntity, '$&;') : text;
}

const unfinishedEntity =
  /&(?:[a-z][-.a-z0-9]*(?=[^a-z0-9;])|#[0-9]+(?=[^0-9a-f;])|#x[0-9a-f]+(?=[^0-9a-f;]))/gi;

function tagStarts(text: string): number {
  return text.split('<').length;
}
