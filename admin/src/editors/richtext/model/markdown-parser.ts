/** The parser of the editor. The server knows more (notes, boxes of tasks); what is unknown here stays source. */
import MarkdownIt, { type Env } from 'markdown-it';
import { Fragment, type Node } from 'prosemirror-model';
import { parseHtml, toCanonical } from './canonical.ts';
import { writeHtml } from './html-write.ts';

export const parser = new MarkdownIt({ html: true, xhtmlOut: false });
// Addresses are kept as they are written, whatever they lead to: the server judges them when it prints them.
parser.validateLink = () => true;
parser.normalizeLink = (address) => address;
parser.normalizeLinkText = (text) => text;

/**
 * What the server's Markdown knows besides, and tags of templates: notes, boxes of tasks, text struck out by one `~`.
 * Here it is HTML that means nothing, so that it stays as it is.
 */
const pieces: readonly (readonly [
  name: string,
  pattern: RegExp,
  isAt?: (text: string, place: number) => boolean,
])[] = [
  ['template', /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|\{#[\s\S]*?#\}/y],
  ['note', /\[\^[^\]\s]+\]/y],
  ['task', /\[[ xX]\](?=\s)/y, (_text, place) => place === 0],
  ['strike', /~(?![~\s])[^~]+(?<!\s)~(?!~)/y, (text, place) => text[place - 1] !== '~'],
];
for (const [name, pattern, isAt] of pieces) {
  parser.inline.ruler.before('escape', name, (state, silent) => {
    if (isAt?.(state.src, state.pos) === false) return false;
    pattern.lastIndex = state.pos;
    const [source] = pattern.exec(state.src) ?? [];
    if (source === undefined) return false;
    if (!silent) state.push('html_inline', '', 0).content = source;
    state.pos += source.length;
    return true;
  });
}
parser.block.ruler.before('reference', 'note', (state, start, end, silent) => {
  const at = (line: number) => state.src.slice(state.bMarks[line], state.eMarks[line]);
  if (!/^ {0,3}\[\^[^\]\s]+\]:/.test(at(start))) return false;
  if (silent) return true;
  let line = start + 1;
  while (line < end && (at(line).trim() !== '' || /^(?: {4}|\t)/.test(at(line + 1)))) line += 1;
  const token = state.push('html_block', '', 0);
  token.map = [start, line];
  token.content = state.getLines(start, line, state.blkIndent, true);
  state.line = line;
  return true;
});

/** What a piece of Markdown means, for comparisons. @param env with the addresses that the whole text defines */
export function meaningOfSource(source: string, env: Env): string {
  return toCanonical(parseHtml(parser.render(source, { ...env })));
}

/** What a node means, for comparisons. */
export function meaningOfNode(node: Node, env: Env): string {
  return toCanonical(parseHtml(writeHtml(withHtml(node, env))));
}

/** Pieces of source as the HTML that they stand for. */
function withHtml(node: Node, env: Env): Node {
  const source = String(node.attrs['source'] ?? '');
  const { name } = node.type;
  if (name === 'raw_block') return node.type.create({ source: parser.render(source, { ...env }) });
  if (name === 'raw_inline')
    return node.type.create({ source: parser.renderInline(source, { ...env }) }, null, node.marks);
  if (node.isLeaf) return node;
  if (name === 'code_block' && node.childCount > 0)
    return node.copy(Fragment.from(node.type.schema.text(`${node.textContent}\n`)));
  return node.copy(Fragment.from(node.children.map((child) => withHtml(child, env))));
}
