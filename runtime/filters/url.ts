import { escapeHtml } from '../values/escape.ts';
import { toText } from '../values/text.ts';
import {
  type FilterDefinition,
  limited,
  markupFilter,
  printFast,
  type QuickPrint,
  textFilter,
  unsafeTextFilter,
} from './filter.ts';
import { quote, urlReserved } from './shared/quote.ts';
import { urlize } from './shared/urlize.ts';
import { integerArgument } from './shared/values.ts';

/** Filters for addresses. */
export const urlFilters: readonly FilterDefinition[] = [
  unsafeTextFilter('clean_url', [0, 0], cleanUrl),
  textFilter('iriencode', [0, 0], (text) => quote(text, urlReserved)),
  // As in Django, an empty text stays what it is: safe, if it was.
  {
    name: 'urlencode',
    args: [0, 1],
    apply: (value, _env, safe) => urlencode(value, safe),
    quick: ([safe = '/'], escaping) => quickQuote(toText(safe), escaping),
    quickText: true,
  },
  markupFilter('urlize', [0, 0], (text, mustEscape) => urlize(text, { mustEscape, limit: Infinity })),
  markupFilter('urlizetrunc', [1, 1], (text, mustEscape, limit) =>
    urlize(text, { mustEscape, limit: integerArgument('urlizetrunc', limit) }),
  ),
];

function urlencode(value: unknown, safe: unknown): unknown {
  const text = toText(value);
  return text === '' ? value : limited(quote(text, safe === undefined ? '/' : toText(safe)));
}

function quickQuote(safe: string, escaping: boolean): QuickPrint {
  // Characters that are not encoded need no escaping, unless they are said to be safe.
  const mustEscape = escaping && escapeHtml(safe) !== safe;
  return printFast((text) => quote(text, safe), mustEscape);
}

/** Schemes of addresses that run no script. */
const harmlessSchemes = new Set(['http', 'https', 'mailto', 'tel', 'sms', 'ftp', 'geo', 'webcal']);

/**
 * The address if it runs no script: it is relative or has a harmless scheme. Else the empty text. Browsers
 * ignore white space and control characters at the start, and tabs and line ends anywhere, so these are
 * removed first.
 *
 *     {{ "https://example.org/?a=1"|clean_url }} -> https://example.org/?a=1    {{ " java\tscript:x"|clean_url }} ->
 */
function cleanUrl(text: string): string {
  const address = text.replace(/[\t\n\r]/g, '').replace(outerControls, '');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1];
  return scheme === undefined || harmlessSchemes.has(scheme.toLowerCase()) ? address : '';
}

/** Characters that the URL standard strips at the start: white space and control characters up to U+0020. */
const outerControls = /^[\p{Cc} ]+/u;
