/** Tags that name a snippet, with the name in quotes or bare. */
const naming = /\{%-?\s*(?:include|extends|component|import)\s+(["']?)([\w.\-/]+)\1/g;

/** The snippet that a tag around a column of a line names; undefined if there is none. @param column from 0 */
export function snippetNameAt(line: string, column: number): string | undefined {
  for (const { index, 0: tag, 2: name } of line.matchAll(naming))
    if (column >= index && column <= index + tag.length) return name;
  return undefined;
}
