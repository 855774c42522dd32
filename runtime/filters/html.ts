import { escapeHtml } from '../values/escape.ts';
import { checkTextLength, FilterError } from '../values/limits.ts';
import { SafeString } from '../values/safe.ts';
import { toText } from '../values/text.ts';
import {
  type FilterDefinition,
  type FilterEnv,
  markupFilter,
  printFast,
  type QuickPrint,
  quickLength,
  textFilter,
  valueFilter,
} from './filter.ts';
import { stripTags } from './shared/strip-tags.ts';
import { truncateHtmlCharacters, truncateHtmlWords } from './shared/truncate-html.ts';
import { listInput, parseInteger } from './shared/values.ts';

/** Filters that make, escape or cut HTML. */
export const htmlFilters: readonly FilterDefinition[] = [
  { ...valueFilter('escape', [0, 0], escapeOnce), returns: 'safe' },
  {
    ...markupFilter('escapejs', [0, 0], escapeJs),
    // What is left needs no escaping.
    quick: () => printFast(escapeJs, false),
  },
  markupFilter('force_escape', [0, 0], escapeHtml),
  {
    ...markupFilter('linebreaks', [0, 0], lineBreaks),
    quick: (_args, escaping) => quickLines(lineBreaks, escaping),
  },
  {
    ...markupFilter('linebreaksbr', [0, 0], lineBreaksBr),
    quick: (_args, escaping) => quickLines(lineBreaksBr, escaping),
  },
  markupFilter('linenumbers', [0, 0], lineNumbers),
  markupFilter('safe', [0, 0], (text) => text),
  {
    ...textFilter('striptags', [0, 0], stripTags),
    quick: (_args, escaping) => printFast(stripTags, escaping),
    quickText: true,
  },
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
  return text.replace(jsSpecial, jsCode);
}

function jsCode(char: string): string {
  const code = char.charCodeAt(0);
  return jsCodes[code] ?? jsCodeOf(code);
}

function jsCodeOf(code: number): string {
  return `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

const jsCodes = Array.from({ length: 128 }, (_, code) => jsCodeOf(code));

const jsSpecial = /[\p{Cc}\\'"<>&=;`\u2028\u2029-]/gu;

// --- lines -----------------------------------------------------------------------------------------------

/** Paragraphs at empty lines, `<br>` at single line breaks. */
function lineBreaks(text: string, mustEscape: boolean): string {
  const html = escapeIf(mustEscape, normalizeNewlines(text));
  if (!html.includes('\n\n')) return `<p>${breaksIn(html)}</p>`;
  let out = '';
  for (const paragraph of html.split(/\n{2,}/)) {
    out += out === '' ? `<p>${breaksIn(paragraph)}</p>` : `\n\n<p>${breaksIn(paragraph)}</p>`;
  }
  return out;
}

/** Line breaks as `<br>`. */
export function lineBreaksBr(text: string, mustEscape: boolean): string {
  return breaksIn(escapeIf(mustEscape, normalizeNewlines(text)));
}

function breaksIn(html: string): string {
  return html.includes('\n') ? html.replaceAll('\n', '<br>') : html;
}

function quickLines(write: (text: string, mustEscape: boolean) => string, escaping: boolean): QuickPrint {
  return (value) =>
    typeof value === 'string' && value.length <= quickLength ? write(value, escaping) : undefined;
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
