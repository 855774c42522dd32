import { escapeHtml } from '../values/escape.ts';
import { checkTextLength, FilterError } from '../values/limits.ts';
import { SafeString } from '../values/safe.ts';
import { toText } from '../values/text.ts';
import {
  type FilterDefinition,
  type FilterEnv,
  markupFilter,
  type QuickPrint,
  quickLength,
  textFilter,
  valueFilter,
} from './filter.ts';
import { htmlTokens, rawText } from './shared/html-tokens.ts';
import { truncateHtmlCharacters, truncateHtmlWords } from './shared/truncate-html.ts';
import { listInput, parseInteger } from './shared/values.ts';

/** Filters that make, escape or cut HTML. */
export const htmlFilters: readonly FilterDefinition[] = [
  { ...valueFilter('escape', [0, 0], escapeOnce), returns: 'safe' },
  markupFilter('escapejs', [0, 0], escapeJs),
  markupFilter('force_escape', [0, 0], escapeHtml),
  markupFilter('linebreaks', [0, 0], lineBreaks),
  { ...markupFilter('linebreaksbr', [0, 0], lineBreaksBr), quick: quickBreaks },
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

/**
 * For use inside a JavaScript string: characters that could end the string or start markup become `\uXXXX`.
 */
function escapeJs(text: string): string {
  return text.replace(jsSpecial, (char) => {
    const code = char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `\\u${code}`;
  });
}

const jsSpecial = /[\p{Cc}\\'"<>&=;`\u2028\u2029-]/gu;

// --- lines -----------------------------------------------------------------------------------------------

/** Paragraphs at empty lines, `<br>` at single line breaks. */
function lineBreaks(text: string, mustEscape: boolean): string {
  return escapeIf(mustEscape, normalizeNewlines(text))
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>')}</p>`)
    .join('\n\n');
}

/** Line breaks as `<br>`. */
export function lineBreaksBr(text: string, mustEscape: boolean): string {
  return escapeIf(mustEscape, normalizeNewlines(text)).replaceAll('\n', '<br>');
}

function quickBreaks(_args: readonly unknown[], escaping: boolean): QuickPrint {
  return (value) =>
    typeof value === 'string' && value.length <= quickLength ? lineBreaksBr(value, escaping) : undefined;
}

function lineNumbers(text: string, mustEscape: boolean): string {
  const lines = escapeIf(mustEscape, text).split('\n');
  const width = String(lines.length).length;
  return lines.map((line, index) => `${String(index + 1).padStart(width, '0')}. ${line}`).join('\n');
}

function normalizeNewlines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

function escapeIf(mustEscape: boolean, text: string): string {
  return mustEscape ? escapeHtml(text) : text;
}

// --- cutting ---------------------------------------------------------------------------------------------

/** Deepest nesting of tags that appear only after other tags are removed, as in `<<b>p>`. */
const maxStripPasses = 50;

/** Most characters that all passes together may read. The first two passes are always made. */
const maxStripWork = 4 * 1024 * 1024;

/** Removes tags and comments until none is left. The result is not safe: it may still contain a `<`. */
function stripTags(text: string): string {
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

/** Cuts the HTML if the argument is a number, else returns it unchanged, as Django does. */
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
const maxListNesting = 50;

/** Nested lists as `<li>` items, without the outer `<ul>`: `["a", ["b"]]` puts b below a. */
function unorderedList(value: unknown, env: FilterEnv): SafeString {
  const items = listInput('unordered_list', value);
  const toHtml = env.autoescape ? (item: unknown) => escapeOnce(item).value : toText;
  return new SafeString(listItems(items, 1, toHtml));
}

function listItems(items: readonly unknown[], level: number, toHtml: (item: unknown) => string): string {
  if (level > maxListNesting) {
    throw new FilterError(`unordered_list takes lists nested ${maxListNesting} deep`);
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
