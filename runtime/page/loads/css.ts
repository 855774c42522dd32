import type { Load } from './loads.ts';

/** What is looked at in a style sheet; everything between is skipped. */
const token = /\/\*|["']|url\(|@import\b|@font-face\b|[{};]/gi;

/**
 * What a style sheet loads: style sheets, fonts and images. One pass that looks at each character a bounded number of
 * times, because anyone who may write CSS may write hostile CSS; something that is not closed ends it.
 */
export function loadsInCss(css: string): Load[] {
  const loads: Load[] = [];
  const state = { inImport: false, fontBegins: false, inFont: false };
  token.lastIndex = 0;
  for (let found = token.exec(css); found !== null; found = token.exec(css)) {
    const [text] = found;
    const start = token.lastIndex;
    const piece = enclosed[text.toLowerCase()]?.(css, start);
    if (piece === 'open') break;
    if (piece === undefined) {
      follow(state, text.toLowerCase());
      continue;
    }
    token.lastIndex = piece.end;
    if (piece.address === undefined) continue;
    if (state.inImport) loads.push({ directive: 'style-src', address: piece.address });
    else if (text.length > 1)
      loads.push({ directive: state.inFont ? 'font-src' : 'img-src', address: piece.address });
    state.inImport = false;
  }
  return loads;
}

interface Piece {
  readonly end: number;
  /** Undefined for a comment. */
  readonly address: string | undefined;
}

/** What a token opens: reads to its end. */
const enclosed: Readonly<Record<string, (css: string, start: number) => Piece | 'open'>> = {
  '/*'(css, start) {
    const end = css.indexOf('*/', start);
    return end < 0 ? 'open' : { end: end + 2, address: undefined };
  },
  '"': (css, start) => quoted(css, '"', start),
  "'": (css, start) => quoted(css, "'", start),
  'url('(css, start) {
    const first = /\S/g;
    first.lastIndex = start;
    const at = first.exec(css)?.index ?? start;
    const quote = css[at];
    if (quote === '"' || quote === "'") return quoted(css, quote, at + 1);
    const end = css.indexOf(')', start);
    return end < 0 ? 'open' : { end: end + 1, address: css.slice(start, end).trim() };
  },
};

function quoted(css: string, quote: string, start: number): Piece | 'open' {
  const end = css.indexOf(quote, start);
  return end < 0 ? 'open' : { end: end + 1, address: css.slice(start, end) };
}

function follow(state: { inImport: boolean; fontBegins: boolean; inFont: boolean }, text: string): void {
  if (text === '@import') state.inImport = true;
  else if (text === '@font-face') state.fontBegins = true;
  else if (text === '{') state.inFont = state.fontBegins;
  else if (text === '}') state.inFont = false;
  if (text !== '@import') state.inImport = false;
  if (text !== '@font-face') state.fontBegins = false;
}
