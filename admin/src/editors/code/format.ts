/**
 * Indents code by its structure: that of the language by its grammar, and of template tags by their pairs. Only
 * white space at the beginnings and ends of lines changes, and none where it may count: in `pre`, `textarea`,
 * texts of scripts, `verbatim` and comments. So a page shows the same after it.
 */
import { ensureSyntaxTree, getIndentation, IndentContext, indentUnit } from '@codemirror/language';
import { EditorState, type Text } from '@codemirror/state';
import type { CodeLanguage } from '../../content/code/code-object.ts';
import { languages } from './languages.ts';

/** A text that the grammar cannot read in this time is left alone, in milliseconds. */
const maxParseMs = 3000;
const unit = '  ';

/** The text with its lines indented; undefined if it is too long to be read. */
export function formatted(content: string, language: CodeLanguage): string | undefined {
  const begun = EditorState.create({
    doc: content,
    extensions: [languages[language](), indentUnit.of(unit), EditorState.tabSize.of(unit.length)],
  });
  if (ensureSyntaxTree(begun, begun.doc.length, maxParseMs) === null) return undefined;
  // A state keeps the tree with which it began; the next one has the finished tree.
  const { state } = begun.update({});
  const columns = columnsOf(state);
  const depths = language === 'html' ? templateDepths(state.doc) : [];
  return [...state.doc.iterLines()]
    .map((line, index) => {
      const column = columns[index];
      const depth = depths.length === 0 ? 0 : depths[index];
      if (column === undefined || depth === undefined) return line;
      const text = line.trim();
      return text === '' ? '' : ' '.repeat(column + depth * unit.length) + text;
    })
    .join('\n');
}

/** The column of each line by the grammar; undefined where the grammar wants it left alone. */
function columnsOf(state: EditorState): readonly (number | undefined)[] {
  const columns: (number | undefined)[] = [];
  const byStart = new Map<number, number>();
  const context = new IndentContext(state, { overrideIndentation: (start) => byStart.get(start) ?? -1 });
  for (let number = 1; number <= state.doc.lines; number++) {
    const { from } = state.doc.line(number);
    const column = getIndentation(context, from) ?? undefined;
    if (column !== undefined) byStart.set(from, column);
    columns.push(column);
  }
  return columns;
}

const paired: ReadonlySet<string> = new Set([
  'if',
  'for',
  'with',
  'block',
  'component',
  'fill',
  'slot',
  'macro',
  'autoescape',
  'filter',
  'spaceless',
  'ifchanged',
  'cache',
  'partialdef',
  'region',
]);
const between: ReadonlySet<string> = new Set(['elif', 'else', 'empty']);

/** Parts of a template in which white space counts. */
const kept = [
  [/<pre\b/i, /<\/pre\s*>/i],
  [/<textarea\b/i, /<\/textarea\s*>/i],
  [/\{%-?\s*verbatim\b/, /\{%-?\s*endverbatim\b/],
  [/\{%-?\s*comment\b/, /\{%-?\s*endcomment\b/],
] as const;

/** How many template tags are open at each line; undefined for a line that begins where white space counts. */
function templateDepths(doc: Text): readonly (number | undefined)[] {
  const depths: (number | undefined)[] = [];
  let depth = 0;
  let end: RegExp | undefined;
  for (const line of doc.iterLines()) {
    depths.push(end === undefined ? Math.max(0, depth - closersAt(line)) : undefined);
    for (const { opens, closes } of tagsIn(line))
      depth = Math.max(0, depth + (opens ? 1 : 0) - (closes ? 1 : 0));
    end = endOfKept(line, end);
  }
  return depths;
}

/** Closing tags, and those between, at the beginning of a line: they stand as far left as their opening tag. */
function closersAt(line: string): number {
  let rest = line.trimStart();
  for (let count = 0; ; count++) {
    const [tag, word = ''] = /^\{%-?\s*(\w+).*?%\}\s*/.exec(rest) ?? [];
    if (tag === undefined || !(word.startsWith('end') || between.has(word))) return count;
    if (between.has(word)) return count + 1;
    rest = rest.slice(tag.length);
  }
}

function* tagsIn(line: string): Generator<{ readonly opens: boolean; readonly closes: boolean }> {
  for (const [tag, word = ''] of line.matchAll(/\{%-?\s*(\w+).*?%\}/g)) {
    const isWhole = word === 'component' && /\/\s*-?%\}$/.test(tag);
    yield {
      opens: paired.has(word) && !isWhole,
      closes: word.startsWith('end') && paired.has(word.slice(3)),
    };
  }
}

/** What ends the part in which white space counts, after a line; undefined if there is none. */
function endOfKept(line: string, open: RegExp | undefined): RegExp | undefined {
  let rest = line;
  let end = open;
  for (;;) {
    if (end !== undefined) {
      const found = end.exec(rest);
      if (found === null) return end;
      rest = rest.slice(found.index + found[0].length);
      end = undefined;
    }
    const starts = kept
      .map(([start, stop]) => ({ found: start.exec(rest), stop }))
      .filter(({ found }) => found !== null)
      .sort((left, right) => (left.found?.index ?? 0) - (right.found?.index ?? 0));
    const [first] = starts;
    if (first?.found === null || first === undefined) return undefined;
    rest = rest.slice(first.found.index + first.found[0].length);
    end = first.stop;
  }
}
