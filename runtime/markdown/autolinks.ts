/**
 * Addresses in running text become links (GFM, "Autolinks (extension)"): `http://`, `https://`, `www.` and e-mail.
 *
 * The rule of the parser recognizes top-level domains instead, and also words such as `readme.md`.
 */
import type { MarkdownIt, StateInline } from 'markdown-it';

export function autolinks(parser: MarkdownIt): void {
  parser.inline.ruler.at('text', readText);
  parser.inline.ruler.before('text', 'address', readAddress);
}

interface Address {
  readonly end: number;
  /** What is put before the text to make the address of the link. */
  readonly prefix: string;
}

/** Reads to the next character that may begin a mark, or to the next address. */
function readText(state: StateInline, silent: boolean): boolean {
  const { pos, posMax, src } = state;
  stop.lastIndex = pos;
  const found = stop.exec(src);
  const beforeWww = found?.[1] ?? '';
  let end = Math.min((found?.index ?? posMax) + beforeWww.length, posMax);
  if (end === pos) return false;
  if (mayLink(state, silent)) end = beginningOfAddress(src, pos, end);
  if (!silent) state.pending += src.slice(pos, end);
  state.pos = end;
  return true;
}

const stop = /[\n!#$%&*+\-:<=>@[\\\]^_`{}~]|([\s(])(?=www\.)/gi;

/** The label of a link is read silently first. Links are not nested. */
function mayLink(state: StateInline, silent: boolean): boolean {
  return !silent && state.linkLevel === 0;
}

/**
 * Where in the text an address may begin that goes on after `end`; not at `start`, where `readAddress` found none.
 * Of the characters in the first part of an address, colon, hyphen, plus, underscore and at sign end a text.
 */
function beginningOfAddress(src: string, start: number, end: number): number {
  if (src.startsWith('://', end)) {
    const protocol = /(?<![a-z])https?$/i.exec(src.slice(Math.max(start, end - 6), end));
    return protocol === null || end - protocol[0].length === start ? end : end - protocol[0].length;
  }
  if (!/[-+_@]/.test(src[end] ?? '')) return end;
  let word = end;
  while (word > start && mailboxCharacter.test(src[word - 1] ?? '')) word--;
  return word === start ? end : word;
}

const mailboxCharacter = /[\w.+-]/;

function readAddress(state: StateInline, silent: boolean): boolean {
  if (!mayLink(state, silent)) return false;
  const { pos, src } = state;
  const address = emailAt(src, pos) ?? websiteAt(src, pos);
  if (address === undefined) return false;
  const text = src.slice(pos, address.end);
  const open = state.push('link_open', 'a', 1);
  open.attrs = [['href', state.md.normalizeLink(address.prefix + text)]];
  state.push('text', '', 0).content = text;
  state.push('link_close', 'a', -1);
  state.pos = address.end;
  return true;
}

function emailAt(src: string, pos: number): Address | undefined {
  if (/[\w.+\-/]/.test(src[pos - 1] ?? ' ')) return undefined;
  email.lastIndex = pos;
  if (!email.test(src)) return undefined;
  const end = email.lastIndex;
  return /[a-z]/i.test(src[end - 1] ?? '') ? { end, prefix: 'mailto:' } : undefined;
}

/** A dot belongs to the address only before a letter or digit. The address contains one. */
const email = /[\w.+-]+@[\w-]+(?:\.(?=[a-z\d])[\w-]+)+/iy;

function websiteAt(src: string, pos: number): Address | undefined {
  const before = src[pos - 1] ?? ' ';
  website.lastIndex = pos;
  const [protocol] = website.exec(src) ?? [];
  if (protocol === undefined) return undefined;
  const isWww = protocol.startsWith('w') || protocol.startsWith('W');
  if (isWww ? !/[\s(*_[\]~]/.test(before) : /[a-z]/i.test(before)) return undefined;
  if (!isDomain(src, isWww ? pos : website.lastIndex)) return undefined;
  return { end: endOfWebsite(src, website.lastIndex), prefix: isWww ? 'http://' : '' };
}

/** A domain begins with a letter, digit, hyphen or emoji; letters of all scripts are allowed. */
const website = /(?:https?:\/\/|www\.)(?=[^\p{P}\p{S}\s\p{Cc}]|[-\u{10000}-\u{10ffff}])/iuy;

/**
 * The last two parts of a domain contain no underscore. The rest of the address is not read before this is known,
 * and no more than a domain may have, since every `www.` of a long word may begin an address.
 */
function isDomain(src: string, start: number): boolean {
  domain.lastIndex = start;
  const [name = ''] = domain.exec(src) ?? [];
  const parts = name.replace(/[._]+$/, '').split('.');
  return name.length <= maxDomainLength && !parts.slice(-2).some((part) => part.includes('_'));
}

const maxDomainLength = 253;
const domain = new RegExp(
  String.raw`(?:[^\p{P}\p{S}\s]|[-._\u{10000}-\u{10ffff}]){0,${maxDomainLength + 1}}`,
  'uy',
);

/**
 * An address ends before a space or `<`, without the punctuation in front of that. A closing parenthesis belongs
 * to it if it has an opening one. Each character is read once, so that long addresses are no problem.
 */
function endOfWebsite(src: string, start: number): number {
  const end = new EndOfWebsite();
  let pos = start;
  while (pos < src.length) {
    trailing.lastIndex = pos;
    ending.lastIndex = pos;
    if (ending.test(src)) break;
    const [punctuation] = trailing.exec(src) ?? [];
    if (punctuation === undefined) end.character(src[pos] ?? '');
    else end.punctuation(punctuation, pos);
    pos += punctuation?.length ?? 1;
  }
  return end.before(pos);
}

const ending = /[\s<]|\](?=[\s([]|$)/y;
const trailing = /[!"')*,.:;?\]_~]|&[a-z]+;/iy;

class EndOfWebsite {
  #opened = 0;
  #closed = 0;
  /** Where the punctuation began that is read, and how many closing parentheses it contains. */
  #trail: number | undefined;
  #closedInTrail = 0;

  character(character: string): void {
    if (character === '(') this.#opened += 1;
    this.#closed += this.#closedInTrail;
    this.#closedInTrail = 0;
    this.#trail = undefined;
  }

  punctuation(punctuation: string, pos: number): void {
    if (punctuation !== ')') this.#trail ??= pos;
    else if (this.#trail === undefined && this.#closed < this.#opened) this.#closed += 1;
    else {
      this.#trail ??= pos;
      this.#closedInTrail += 1;
    }
  }

  before(pos: number): number {
    return this.#trail ?? pos;
  }
}
