import { escapeHtml } from '../escape.ts';
import { type Filter, type FilterEnv, markupFilter, textFilter, valueFilter } from '../filter.ts';
import { SafeString } from '../safe.ts';
import { toText } from '../text.ts';
import { checkTextLength, FilterError } from './limits.ts';
import { htmlTokens } from './shared/html-tokens.ts';
import { truncateHtmlCharacters, truncateHtmlWords } from './shared/truncate-html.ts';
import { itemsOf, parseInteger } from './shared/values.ts';

/** Filters that make, escape or cut HTML. */
export const htmlFilters: readonly Filter[] = [
  { ...valueFilter('escape', [0, 0], escapeOnce), returns: 'safe' },
  markupFilter('escapejs', [0, 0], escapeJs),
  markupFilter('force_escape', [0, 0], escapeHtml),
  markupFilter('linebreaks', [0, 0], lineBreaks),
  markupFilter('linebreaksbr', [0, 0], lineBreaksBr),
  markupFilter('linenumbers', [0, 0], lineNumbers),
  markupFilter('safe', [0, 0], (text) => text),
  textFilter('striptags', [0, 0], stripTags),
  textFilter('truncatechars_html', [1, 1], (text, count) => truncate(text, count, truncateHtmlCharacters)),
  textFilter('truncatewords_html', [1, 1], (text, count) => truncate(text, count, truncateHtmlWords)),
  { ...valueFilter('unordered_list', [0, 0], unorderedList), returns: 'safe' },
];

// --- escaping --------------------------------------------------------------------------------------------

function escapeOnce(value: unknown): SafeString {
  return value instanceof SafeString ? value : new SafeString(escapeHtml(toText(value)));
}

/** For use inside a JavaScript string: everything that could end it, or start markup, as `\uXXXX`. */
function escapeJs(text: string): string {
  return text.replace(JS_SPECIAL, (char) => {
    const code = char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `\\u${code}`;
  });
}

const JS_SPECIAL = /[\p{Cc}\\'"<>&=;`\u2028\u2029-]/gu;

// --- lines -----------------------------------------------------------------------------------------------

/** Paragraphs at empty lines, `<br>` at single line breaks. */
function lineBreaks(text: string, mustEscape: boolean): string {
  return escapeIf(mustEscape, normalizeNewlines(text))
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>')}</p>`)
    .join('\n\n');
}

function lineBreaksBr(text: string, mustEscape: boolean): string {
  return escapeIf(mustEscape, normalizeNewlines(text)).replaceAll('\n', '<br>');
}

function lineNumbers(text: string, mustEscape: boolean): string {
  const lines = escapeIf(mustEscape, text).split('\n');
  const width = String(lines.length).length;
  return lines.map((line, index) => `${String(index + 1).padStart(width, '0')}. ${line}`).join('\n');
}

function normalizeNewlines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function escapeIf(mustEscape: boolean, text: string): string {
  return mustEscape ? escapeHtml(text) : text;
}

// --- cutting ---------------------------------------------------------------------------------------------

/** Tags that only appear once others are gone, as in `<<b>p>`, may be nested this deep. */
const MAX_STRIP_PASSES = 50;

/** Most characters that are read in all passes together; the first two are always made. */
const MAX_STRIP_WORK = 4 * 1024 * 1024;

/** Removes tags and comments until none is left. What remains is not made safe: it may still hold a `<`. */
function stripTags(text: string): string {
  let current = text;
  let work = 0;
  for (let pass = 0; current.includes('<') && current.includes('>'); pass += 1) {
    work += current.length;
    if (pass === MAX_STRIP_PASSES || (pass > 1 && work > MAX_STRIP_WORK)) {
      throw new FilterError(`striptags found tags nested over ${pass} deep`);
    }
    let stripped = '';
    for (const token of htmlTokens(current)) {
      if (token.type === 'text') stripped += token.text;
    }
    if (stripped.length === current.length) break;
    current = stripped;
  }
  return current;
}

/** Cuts the HTML if the argument is a number, and leaves it alone otherwise, as Django does. */
function truncate(
  html: string,
  countArgument: unknown,
  cutAt: (html: string, count: number) => string,
): string {
  const count = parseInteger(countArgument);
  return count === undefined ? html : cutAt(html, Number(count));
}

// --- lists -----------------------------------------------------------------------------------------------

/** Deepest nesting of a list that becomes `<ul>` in `<ul>`. */
const MAX_LIST_NESTING = 50;

/** Nested lists as `<li>` items, without the outer `<ul>`: `["a", ["b"]]` puts b below a. */
function unorderedList(value: unknown, env: FilterEnv): SafeString {
  const items = itemsOf(value);
  if (items === undefined) throw new FilterError('unordered_list needs a list');
  const toHtml = env.autoescape ? (item: unknown) => escapeOnce(item).value : toText;
  return new SafeString(listItems(items, 1, toHtml));
}

function listItems(items: readonly unknown[], level: number, toHtml: (item: unknown) => string): string {
  if (level > MAX_LIST_NESTING) {
    throw new FilterError(`unordered_list takes lists nested ${MAX_LIST_NESTING} deep`);
  }
  const indent = '\t'.repeat(level);
  let out = '';
  for (let index = 0; index < items.length; index += 1) {
    const title = toHtml(items[index]);
    const children = items[index + 1];
    let sublist = '';
    if (Array.isArray(children)) {
      index += 1;
      if (children.length > 0) {
        const inner = listItems(children, level + 1, toHtml);
        sublist = `\n${indent}<ul>\n${inner}\n${indent}</ul>\n${indent}`;
      }
    }
    out += `${out === '' ? '' : '\n'}${indent}<li>${title}${sublist}</li>`;
    checkTextLength(out.length);
  }
  return out;
}
