import { escapeHtml } from '../../escape.ts';
import { checkTextLength } from '../limits.ts';
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
const MAX_URL_LENGTH = 2048;

/** Longer words are not looked at: punctuation alone does not fill them up. */
const MAX_WORD_LENGTH = 2 * MAX_URL_LENGTH;

function wordToHtml(word: string, options: UrlizeOptions): string {
  const escaped = (part: string) => (options.mustEscape ? escapeHtml(part) : part);
  if (word.length > MAX_WORD_LENGTH || !/[.@:]/.test(word)) return escaped(word);
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

const WITH_SCHEME = /^https?:\/\/\[?[\p{L}\p{N}_]/iu;
const HOST_LABEL = String.raw`[a-z\u00a1-\uffff0-9](?:[a-z\u00a1-\uffff0-9-]{0,61}[a-z\u00a1-\uffff0-9])?`;
const INNER_LABELS = String.raw`(?:\.(?!-)[a-z\u00a1-\uffff0-9-]{1,63}(?<!-))*`;
const WITHOUT_SCHEME = new RegExp(
  String.raw`^www\.|^(?!http)${HOST_LABEL}${INNER_LABELS}\.(?:com|edu|gov|int|mil|net|org)(?:$|/.*$)`,
  'i',
);

const MAIL_NAME = String.raw`[-!#$%&'*+/=?^_\x60{}|~0-9a-z]+(?:\.[-!#$%&'*+/=?^_\x60{}|~0-9a-z]+)*`;
const MAIL_TOP = String.raw`\.(?!-)(?:[a-z\u00a1-\uffff-]{2,63}|xn--[a-z0-9]{1,59})(?<!-)`;
const MAIL_HOST = `${HOST_LABEL}${INNER_LABELS}${MAIL_TOP}`;
const MAIL = new RegExp(`^${MAIL_NAME}@${MAIL_HOST}$`, 'i');

/** Longest mail address (RFC 3696, section 3, as Django counts it). */
const MAX_MAIL_LENGTH = 320;

function hrefOf(address: string): string | undefined {
  if (address.length <= MAX_URL_LENGTH) {
    if (WITH_SCHEME.test(address)) return quoteUrl(decodeEntities(address));
    if (WITHOUT_SCHEME.test(address)) return quoteUrl(`http://${decodeEntities(address)}`);
  }
  if (address.length > MAX_MAIL_LENGTH || !MAIL.test(address)) return undefined;
  const at = address.lastIndexOf('@');
  return `mailto:${quote(address.slice(0, at), '')}@${quote(address.slice(at + 1), '')}`;
}

// --- punctuation -----------------------------------------------------------------------------------------

const TRAILING = '.,:;!';
const TRAILING_WITHOUT_SEMICOLON = '.,:!';

interface TrimmedWord {
  lead: string;
  middle: string;
  trail: string;
}

/** Takes the punctuation off a word that is not part of an address in it. */
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
    moveToTrail(trimmed, stripEnd(trimmed.middle, hasEntity ? TRAILING_WITHOUT_SEMICOLON : TRAILING).length);
    trimSemicolons(trimmed);
  } while (trimmed.middle !== before && trimmed.middle !== '');
  return trimmed;
}

/**
 * Closing brackets at the end stay only if they were opened in the address. As in Django all that are too many go at
 * once, whatever stands between them.
 */
function trimBrackets(word: TrimmedWord, kind: { readonly closing: string; surplus: number }): void {
  if (kind.surplus <= 0 || !word.middle.endsWith(kind.closing)) return;
  moveToTrail(word, Math.max(0, word.middle.length - kind.surplus));
  kind.surplus = 0;
}

/** A semicolon at the end goes unless it ends a character reference such as `&amp;`. */
function trimSemicolons(word: TrimmedWord): void {
  if (!word.middle.endsWith(';')) return;
  const ampersand = word.middle.lastIndexOf('&');
  const reference = ampersand === -1 ? ';' : word.middle.slice(ampersand);
  const decoded = decodeEntities(reference);
  if (decoded !== reference && !decoded.endsWith(';')) return;
  const bare = stripEnd(word.middle, TRAILING).length;
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
const DELIMITERS = "!$&'()*+,;=:/?#[]@~";

const URL_PARTS = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is;

/** The address with everything percent-encoded that needs it, and nothing encoded twice. */
function quoteUrl(url: string): string {
  const match = URL_PARTS.exec(url);
  if (match === null) return requote(url);
  const [, scheme = '', host = '', path = '', query = '', fragment = ''] = match;
  if (!isBracketedRightly(host)) return requote(url);
  const search = query === '' ? '' : `?${requoteQuery(query)}`;
  const hash = fragment === '' ? '' : `#${requote(fragment)}`;
  return `${scheme.toLowerCase()}://${requote(host)}${requote(path)}${search}${hash}`;
}

function requote(text: string): string {
  return quote(unquote(text), DELIMITERS);
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

/** Brackets in a host are those around an IPv6 address, or make the address invalid. */
function isBracketedRightly(host: string): boolean {
  if (!/[[\]]/.test(host)) return true;
  return /^(?:[^[\]@]*@)?\[[0-9a-f:.]+\](?::\d*)?$/i.test(host);
}
