/**
 * Any value as text that people can compare line by line: names with their values, what lies inside indented. A text
 * stays as it is.
 */
export function toReadableText(value: unknown): string {
  return linesOf(value).join('\n');
}

function linesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((element) => mark('- ', linesOf(element)));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) => namedLines(name, inner));
  return value === undefined || value === null ? [] : String(value).split('\n');
}

function namedLines(name: string, value: unknown): readonly string[] {
  const lines = linesOf(value);
  if (lines.length === 1 && (typeof value !== 'object' || value === null)) return [`${name}: ${lines[0]}`];
  return [`${name}:`, ...lines.map((line) => `  ${line}`)];
}

function mark(first: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => `${index === 0 ? first : ' '.repeat(first.length)}${line}`);
}
