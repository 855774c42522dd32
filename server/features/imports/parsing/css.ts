/**
 * Addresses in CSS. The text is read as tokens, and only the addresses are replaced: everything else, hacks and
 * errors included, stays as it is.
 */
import { tokenize, tokenTypes } from 'css-tree/tokenizer';
import { string as cssString, url as cssUrl } from 'css-tree/utils';

export interface CssAddress {
  /** As it is written, without escapes. */
  readonly address: string;
  readonly kind: 'import' | 'font' | 'img';
  /** Where the token stands that is replaced. */
  readonly start: number;
  readonly end: number;
}

interface Token {
  readonly type: number;
  readonly start: number;
  readonly end: number;
}

/** All addresses in a style sheet, or in the value of a `style` attribute. */
export function addressesInCss(css: string): CssAddress[] {
  const found: CssAddress[] = [];
  const tokens: Token[] = [];
  tokenize(css, (type, start, end) => {
    if (type !== tokenTypes.WhiteSpace && type !== tokenTypes.Comment) tokens.push({ type, start, end });
  });
  const reader = new Reader(css);
  for (const [index, token] of tokens.entries()) {
    const address = reader.read(token, tokens[index + 1]);
    if (address !== undefined) found.push(address);
  }
  return found;
}

/** Replaces addresses. @param replace returns the new address; undefined leaves the token as it is */
export function replaceInCss(css: string, replace: (found: CssAddress) => string | undefined): string {
  let result = '';
  let from = 0;
  for (const found of addressesInCss(css)) {
    const address = replace(found);
    if (address === undefined) continue;
    result += `${css.slice(from, found.start)}${urlToken(address)}`;
    from = found.end;
  }
  return result + css.slice(from);
}

function urlToken(address: string): string {
  return `url("${address.replaceAll(/["\\\n\r\f]/g, (character) => encodeURIComponent(character))}")`;
}

/** Notes where in the style sheet it is. */
class Reader {
  readonly #css: string;
  /** Names of at-rules and functions that are open, by nesting; empty for other brackets. */
  readonly #open: string[] = [];
  /** The at-rule whose prelude is read. */
  #rule = '';

  constructor(css: string) {
    this.#css = css;
  }

  read(token: Token, next: Token | undefined): CssAddress | undefined {
    const { type, start, end } = token;
    const text = (): string => this.#css.slice(start, end);
    switch (type) {
      case tokenTypes.AtKeyword:
        this.#rule = text().slice(1).toLowerCase();
        return undefined;
      case tokenTypes.Semicolon:
        this.#rule = '';
        return undefined;
      case tokenTypes.LeftCurlyBracket:
        this.#open.push(this.#rule);
        this.#rule = '';
        return undefined;
      case tokenTypes.Function:
        return this.#openFunction(token, next);
      case tokenTypes.LeftParenthesis:
      case tokenTypes.LeftSquareBracket:
        this.#open.push('');
        return undefined;
      case tokenTypes.RightCurlyBracket:
      case tokenTypes.RightParenthesis:
      case tokenTypes.RightSquareBracket:
        this.#open.pop();
        return undefined;
      case tokenTypes.Url:
        return this.#found(cssUrl.decode(text()), start, end);
      case tokenTypes.String:
        return this.#string(token);
      default:
        return undefined;
    }
  }

  /** `url("...")` with a quoted address is a function, and is replaced as a whole. */
  #openFunction({ start, end }: Token, next: Token | undefined): CssAddress | undefined {
    const name = this.#css.slice(start, end - 1).toLowerCase();
    this.#open.push(name);
    if ((name !== 'url' && name !== 'src') || next?.type !== tokenTypes.String) return undefined;
    const close = this.#css.indexOf(')', next.end);
    if (close < 0 || this.#css.slice(next.end, close).trim() !== '') return undefined;
    return this.#found(cssString.decode(this.#css.slice(next.start, next.end)), start, close + 1);
  }

  /** A string is an address after `@import` and in `image-set()`. */
  #string({ start, end }: Token): CssAddress | undefined {
    const around = this.#open.at(-1) ?? '';
    const isImport = this.#rule === 'import' && around === '';
    if (!isImport && around !== 'image-set' && around !== '-webkit-image-set') return undefined;
    return this.#found(cssString.decode(this.#css.slice(start, end)), start, end);
  }

  #found(address: string, start: number, end: number): CssAddress | undefined {
    if (this.#rule === 'namespace' || this.#rule === 'charset' || this.#rule === '-moz-document')
      return undefined;
    if (this.#rule === 'import') {
      // Only the first address of the rule is that of the style sheet.
      this.#rule = 'imported';
      return { address, kind: 'import', start, end };
    }
    const isFont = this.#open.includes('font-face') || fontExtension.test(address);
    return { address, kind: isFont ? 'font' : 'img', start, end };
  }
}

const fontExtension = /\.(?:woff2?|ttf|otf|eot)(?:[?#]|$)/i;
