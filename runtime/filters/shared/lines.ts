/** Lines as in Python, where other characters than the line feed also end a line. */

/** Python's `str.splitlines()`. */
export function splitLines(text: string): string[] {
  return Array.from(linesOf(text), ({ start, end }) => text.slice(start, end));
}

/** The lines with their line breaks: Python's `str.splitlines(True)`. */
export function splitLinesWithEnds(text: string): string[] {
  return Array.from(linesOf(text), ({ start, next }) => text.slice(start, next));
}

interface Line {
  readonly start: number;
  readonly end: number;
  /** Where the next line starts. */
  readonly next: number;
}

function* linesOf(text: string): Generator<Line> {
  let start = 0;
  for (let end = 0; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (!isLineBreak(code)) continue;
    const next = code === 0x0d && text.charCodeAt(end + 1) === 0x0a ? end + 2 : end + 1;
    yield { start, end, next };
    start = next;
    end = next - 1;
  }
  if (start < text.length) yield { start, end: text.length, next: text.length };
}

function isLineBreak(code: number): boolean {
  return (
    (code >= 0x0a && code <= 0x0d) ||
    (code >= 0x1c && code <= 0x1e) ||
    code === 0x85 ||
    code === 0x2028 ||
    code === 0x2029
  );
}
