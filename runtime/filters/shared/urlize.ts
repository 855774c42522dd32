import { escapeHtml } from '../../values/escape.ts';
import { checkTextLength } from '../../values/limits.ts';
import { decodeEntities } from './entities.ts';
import { quote, quotePlus, unquote } from './quote.ts';
import { characterCount, sliceCharacters } from './values.ts';

/** How addresses in a text become links. */
export interface UrlizeOptions {
  readonly mustEscape: boolean;
  /** Most characters of an address that are shown; the link itself is always whole. */
  readonly limit: number;
}

/** The text with web and mail addresses as links, `rel="nofollow"`. */
export function urlize(text: string, options: UrlizeOptions): string {
  const done = new Map<string, string>();
  let out = '';
  for (const word of text.split(/([\s<>"']+)/)) {
    let html = done.get(word);
    if (html === undefined) {
      html = wordToHtml(word, options);
      done.set(word, html);
    }
    out += html;
    checkTextLength(out.length);
  }
  return out;
}

/** Longest address that becomes a link. */
const maxUrlLength = 2048;

/** Longer words are skipped: more than half of such a word would have to be punctuation. */
const maxWordLength = 2 * maxUrlLength;

function wordToHtml(word: string, options: UrlizeOptions): string {
  const escaped = (part: string) => (options.mustEscape ? escapeHtml(part) : part);
  if (word.length > maxWordLength || !/[.@:]/.test(word)) return escaped(word);
  const { lead, middle, trail } = trimPunctuation(word);
  const href = hrefOf(middle);
  if (href === undefined) return escaped(word);
  const nofollow = href.startsWith('mailto:') ? '' : ' rel="nofollow"';
  const link = `<a href="${escapeHtml(href)}"${nofollow}>${escaped(shorten(middle, options.limit))}</a>`;
  return escaped(lead) + link + escaped(trail);
}

function shorten(address: string, limit: number): string {
  if (characterCount(address) <= limit) return address;
  return `${sliceCharacters(address, 0, Math.max(0, limit - 1))}…`;
}

// --- what is an address ----------------------------------------------------------------------------------

const withScheme = /^https?:\/\/\[?[\p{L}\p{N}_]/iu;
const hostLabel = String.raw`[a-z\u00a1-\uffff0-9](?:[a-z\u00a1-\uffff0-9-]{0,61}[a-z\u00a1-\uffff0-9])?`;
const innerLabels = String.raw`(?:\.(?!-)[a-z\u00a1-\uffff0-9-]{1,63}(?<!-))*`;
const withoutScheme = new RegExp(
  String.raw`^www\.|^(?!http)(?:${hostLabel}${innerLabels}|[\p{L}\p{N}_][^@:]+)\.(?:com|edu|gov|int|mil|net|org)(?:$|/.*$)`,
  'iu',
);

const mailName = String.raw`[-!#$%&'*+/=?^_\x60{}|~0-9a-z]+(?:\.[-!#$%&'*+/=?^_\x60{}|~0-9a-z]+)*`;
const mailTop = String.raw`\.(?!-)(?:[a-z\u00a1-\uffff-]{2,63}|xn--[a-z0-9]{1,59})(?<!-)`;
const mailHost = `${hostLabel}${innerLabels}${mailTop}`;
const mailPattern = new RegExp(`^${mailName}@${mailHost}$`, 'i');

/** Longest mail address (RFC 3696, section 3, as Django counts it). */
const maxMailLength = 320;

function hrefOf(address: string): string | undefined {
  if (address.length <= maxUrlLength) {
    if (withScheme.test(address)) return quoteUrl(decodeEntities(address));
    if (withoutScheme.test(address)) return quoteUrl(`http://${decodeEntities(address)}`);
  }
  if (address.length > maxMailLength || !mailPattern.test(address)) return undefined;
  const at = address.lastIndexOf('@');
  return `mailto:${quote(address.slice(0, at), '')}@${quote(address.slice(at + 1), '')}`;
}

// --- punctuation -----------------------------------------------------------------------------------------

const trailing = '.,:;!';
const trailingWithoutSemicolon = '.,:!';

interface TrimmedWord {
  lead: string;
  middle: string;
  trail: string;
}

/** Splits a word into an address and the punctuation before and after it. */
function trimPunctuation(word: string): TrimmedWord {
  const middle = word.replace(/^[([]+/, '');
  const trimmed = { lead: word.slice(0, word.length - middle.length), middle, trail: '' };
  const brackets = [
    { closing: ')', surplus: count(middle, ')') - count(middle, '(') },
    { closing: ']', surplus: count(middle, ']') - count(middle, '[') },
  ];
  let before: string;
  do {
    before = trimmed.middle;
    for (const kind of brackets) trimBrackets(trimmed, kind);
    const hasEntity = trimmed.middle.includes('&');
    moveToTrail(trimmed, stripEnd(trimmed.middle, hasEntity ? trailingWithoutSemicolon : trailing).length);
    trimSemicolons(trimmed);
  } while (trimmed.middle !== before && trimmed.middle !== '');
  return trimmed;
}

/**
 * Removes closing brackets at the end that have no opening bracket in the address. As in Django, as many
 * characters are removed at once as there are surplus brackets, whatever these characters are.
 */
function trimBrackets(word: TrimmedWord, kind: { readonly closing: string; surplus: number }): void {
  if (kind.surplus <= 0 || !word.middle.endsWith(kind.closing)) return;
  moveToTrail(word, Math.max(0, word.middle.length - kind.surplus));
  kind.surplus = 0;
}

/** Removes semicolons at the end, except one that ends a character reference such as `&amp;`. */
function trimSemicolons(word: TrimmedWord): void {
  if (!word.middle.endsWith(';')) return;
  const ampersand = word.middle.lastIndexOf('&');
  const reference = ampersand === -1 ? ';' : word.middle.slice(ampersand);
  const decoded = decodeEntities(reference);
  if (decoded !== reference && !decoded.endsWith(';')) return;
  const bare = stripEnd(word.middle, trailing).length;
  const semicolons = word.middle.length - stripEnd(word.middle, ';').length;
  const keepsOne = ampersand !== -1 && semicolons > 1;
  moveToTrail(word, keepsOne ? word.middle.indexOf(';', bare) + 1 : bare);
}

function moveToTrail(word: TrimmedWord, end: number): void {
  word.trail = word.middle.slice(end) + word.trail;
  word.middle = word.middle.slice(0, end);
}

function stripEnd(text: string, chars: string): string {
  let end = text.length;
  while (end > 0 && chars.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function count(text: string, char: string): number {
  let found = 0;
  for (let index = text.indexOf(char); index !== -1; index = text.indexOf(char, index + 1)) found += 1;
  return found;
}

// --- quoting ---------------------------------------------------------------------------------------------

/** RFC 3986 delimiters, kept as they are. */
const delimiterPattern = "!$&'()*+,;=:/?#[]@~";

const urlParts = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is;

/** Percent-encodes an address. Existing escapes are not encoded twice. */
function quoteUrl(url: string): string {
  const match = urlParts.exec(url);
  if (match === null) return requote(url);
  const [, scheme = '', host = '', path = '', query = '', fragment = ''] = match;
  if (!isBracketedRightly(host)) return requote(url);
  const search = query === '' ? '' : `?${requoteQuery(query)}`;
  const hash = fragment === '' ? '' : `#${requote(fragment)}`;
  return `${scheme.toLowerCase()}://${requote(host)}${requote(path)}${search}${hash}`;
}

function requote(text: string): string {
  return quote(unquote(text), delimiterPattern);
}

function requoteQuery(query: string): string {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const name = equals === -1 ? pair : pair.slice(0, equals);
      const value = equals === -1 ? '' : pair.slice(equals + 1);
      return `${requotePlus(name)}=${requotePlus(value)}`;
    })
    .join('&');
}

function requotePlus(text: string): string {
  return quotePlus(unquote(unquote(text.replaceAll('+', ' '))));
}

/** Brackets in a host are valid only around an IPv6 address. */
function isBracketedRightly(host: string): boolean {
  if (!/[[\]]/.test(host)) return true;
  return /^(?:[^[\]@]*@)?\[[0-9a-f:.]+\](?::\d*)?$/i.test(host);
}
