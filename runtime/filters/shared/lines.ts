/** Lines as in Python, where other characters than the line feed also end a line. */

/** Python's `str.splitlines()`. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let end = 0; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (!isLineBreak(code)) continue;
    lines.push(text.slice(start, end));
    if (code === 0x0d && text.charCodeAt(end + 1) === 0x0a) end += 1;
    start = end + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

/** The lines with their line breaks: Python's `str.splitlines(True)`. */
export function splitLinesWithEnds(text: string): string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length; ) {
    const next = nextLine(text, start);
    lines.push(text.slice(start, next));
    start = next;
  }
  return lines;
}

/** Where the line after the one at `start` begins, or the end of the text. */
function nextLine(text: string, start: number): number {
  let end = start;
  while (end < text.length && !isLineBreak(text.charCodeAt(end))) end += 1;
  if (end === text.length) return end;
  return text.startsWith('\r\n', end) ? end + 2 : end + 1;
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
