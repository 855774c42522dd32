/** `~a~` and `~~a~~` (GFM). The rule of the parser knows the second form only. */
import type { MarkdownIt, StateInline, Token } from 'markdown-it';

export function strikethrough(parser: MarkdownIt): void {
  parser.inline.ruler.at('strikethrough', readTildes);
  parser.inline.ruler2.at('strikethrough', strikePairs);
}

/** One and two tildes are different marks to the parser, so that they do not form a pair. */
const marks: ReadonlyMap<string, number> = new Map([
  ['~', 0x7e],
  ['~~', 0x7e7e],
]);

/** Marks of these numbers are tildes. */
const tildeMarks: ReadonlySet<number> = new Set(marks.values());

function readTildes(state: StateInline, silent: boolean): boolean {
  if (silent || state.src[state.pos] !== '~') return false;
  const { can_open, can_close, length } = state.scanDelims(state.pos, true);
  const run = state.src.slice(state.pos, state.pos + length);
  const marker = marks.get(run);
  if (marker === undefined) state.pending += run;
  else {
    state.push('text', '', 0).content = run;
    const token = state.tokens.length - 1;
    state.delimiters.push({ marker, length: 0, token, end: -1, open: can_open, close: can_close });
  }
  state.pos += length;
  return true;
}

function strikePairs({ tokens, tokens_meta, delimiters }: StateInline): void {
  for (const list of [
    delimiters,
    ...tokens_meta.flatMap((meta) => (meta?.delimiters ? [meta.delimiters] : [])),
  ]) {
    for (const { marker, token, end } of list) {
      const closing = list[end];
      if (!tildeMarks.has(marker) || closing === undefined) continue;
      strike(tokens[token], 's_open', 1);
      strike(tokens[closing.token], 's_close', -1);
    }
  }
}

function strike(token: Token | undefined, type: string, nesting: 1 | -1): void {
  if (token === undefined) return;
  Object.assign(token, { type, tag: 'del', nesting, content: '' });
}
