/**
 * Tells which lines of a Markdown text surely begin a new paragraph, and which are fenced code, without parsing
 * the text. The cost of a paragraph grows with the square of its size, so a cut where the parser makes none
 * would make a costly text look cheap. In doubt there is no cut.
 */

const listMarker = /^( *)([-+*]|(\d{1,9})[.)])( +)\S/;
const headingLine = /^ {0,3}#{1,6}[ \t]/;
const fenceLine = /^(`{3,}(?=[^`]*$)|~{3,})/;
/** HTML that does not end at an empty line. Cuts in or after it are not certain. */
const rawHtml = /<(?:[!?]|(?:script|pre|style|textarea)\b)/i;

/** What a line is to the cost of paragraphs. */
type LineKind = 'empty' | 'code' | 'begins' | 'alone' | 'continues';

export class BlockReader {
  #fence: string | undefined;
  #afterEmpty = true;
  #inTable = false;
  /** Whether the line before is the first of its paragraph and may be the head of a table. */
  #headFirst = false;
  #sawRawHtml = false;
  #before = '';
  #lists: ListLevels = new ListLevels();

  kindOf(line: string): LineKind {
    const kind = this.#kindOf(line);
    this.#afterEmpty = kind === 'empty';
    this.#before = line;
    return kind;
  }

  #kindOf(line: string): LineKind {
    if (this.#fence !== undefined) return this.#inFence(line, this.#fence);
    if (line.trim() === '') {
      this.#inTable = false;
      return 'empty';
    }
    if (rawHtml.test(line)) this.#sawRawHtml = true;
    const fence = this.#afterEmpty && !this.#sawRawHtml ? fenceLine.exec(line)?.[0] : undefined;
    if (fence !== undefined) {
      this.#fence = fence;
      this.#lists = new ListLevels();
      return 'code';
    }
    if (this.#isTableRow(line)) return 'alone';
    if (headingLine.test(line)) {
      this.#lists = new ListLevels();
      return 'alone';
    }
    return this.#lists.begins(line, this.#sawRawHtml) ? 'begins' : 'continues';
  }

  #inFence(line: string, fence: string): LineKind {
    const end = /^ {0,3}(`+|~+)[ \t]*$/.exec(line)?.[1];
    if (end?.startsWith(fence)) this.#fence = undefined;
    return 'code';
  }

  /** Whether the line is surely a row. Rows of a table with a pipe at both ends of each row are recognized. */
  #isTableRow(line: string): boolean {
    if (!line.startsWith('|') || this.#sawRawHtml) {
      this.#inTable = false;
      return false;
    }
    if (!this.#inTable && /^\|(?: *:?-+:? *\|)+ *$/.test(line)) {
      this.#inTable = this.#headFirst && pipesOf(this.#before) === pipesOf(line);
    }
    this.#headFirst = this.#afterEmpty && /^\|.*[^\\|]\| *$/.test(line);
    return this.#inTable;
  }
}

/** Indentations of the list items that are open. A line indented by four more than an item belongs to its text. */
class ListLevels {
  #levels: { readonly indent: number; readonly content: number }[] = [];

  begins(line: string, unsure: boolean): boolean {
    const [, blanks = '', marker = '', number, gap = ''] = listMarker.exec(line) ?? [];
    if (marker === '' || unsure) {
      const indent = line.search(/[^ ]/);
      if (indent < (this.#levels.at(-1)?.content ?? 0)) this.#levels = [];
      return false;
    }
    const indent = blanks.length;
    while ((this.#levels.at(-1)?.indent ?? -1) > indent) this.#levels.pop();
    const top = this.#levels.at(-1);
    const sibling = top?.indent === indent;
    const nested = top !== undefined && indent >= top.content && indent <= top.content + 3;
    const starts = (indent <= 3 || nested) && (number === undefined || number === '1');
    if (!sibling && !starts) return false;
    if (sibling) this.#levels.pop();
    // After five blanks the item begins with indented code, one blank after the marker.
    const content = indent + marker.length + (gap.length > 4 ? 1 : gap.length);
    this.#levels.push({ indent, content });
    return true;
  }
}

function pipesOf(line: string): number {
  return line.replace(/\\[\\|]/g, '').split('|').length;
}
