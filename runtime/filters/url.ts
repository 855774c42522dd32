import { type Filter, markupFilter, textFilter, unsafeTextFilter } from '../filter.ts';
import { toText } from '../text.ts';
import { quote, URL_RESERVED } from './shared/quote.ts';
import { urlize } from './shared/urlize.ts';
import { integerArgument } from './shared/values.ts';

/** Filters for addresses. */
export const urlFilters: readonly Filter[] = [
  unsafeTextFilter('clean_url', [0, 0], cleanUrl),
  textFilter('iriencode', [0, 0], (text) => quote(text, URL_RESERVED)),
  unsafeTextFilter('urlencode', [0, 1], (text, safe) => quote(text, safe === undefined ? '/' : toText(safe))),
  markupFilter('urlize', [0, 0], (text, mustEscape) => urlize(text, { mustEscape, limit: Infinity })),
  markupFilter('urlizetrunc', [1, 1], (text, mustEscape, limit) =>
    urlize(text, { mustEscape, limit: integerArgument('urlizetrunc', limit) }),
  ),
];

/** Schemes of addresses that lead somewhere and run nothing. */
const HARMLESS_SCHEMES = new Set(['http', 'https', 'mailto', 'tel', 'sms', 'ftp', 'geo', 'webcal']);

/**
 * The address if following it runs no script: a relative one, or one with a harmless scheme; else nothing. Browsers
 * overlook white space and control characters in front and tabs and line ends anywhere, so these go first.
 *
 *     {{ "https://example.org/?a=1"|clean_url }} -> https://example.org/?a=1    {{ " java\tscript:x"|clean_url }} ->
 */
function cleanUrl(text: string): string {
  const address = text.replace(/[\t\n\r]/g, '').replace(OUTER_CONTROLS, '');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1];
  return scheme === undefined || HARMLESS_SCHEMES.has(scheme.toLowerCase()) ? address : '';
}

/** What the URL standard strips: white space and control characters up to U+0020, at the beginning. */
const OUTER_CONTROLS = /^[\p{Cc} ]+/u;
