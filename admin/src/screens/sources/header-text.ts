/** Headers as lines of text, the form in which people write them. */
export function headerText(headers: Readonly<Record<string, unknown>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** Lines without a colon are left out. */
export function parseHeaders(text: string): Readonly<Record<string, string>> {
  const pairs = text.split('\n').flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    return colon < 1 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]];
  });
  return Object.fromEntries(pairs);
}

/** Names of the placeholders in texts, those of the environment left out. */
export function placeholdersIn(texts: readonly string[]): readonly string[] {
  const names = texts.flatMap((text) =>
    [...text.matchAll(/\{([A-Za-z_][\w-]*)\}/g)].map(([, name = '']) => name),
  );
  return [...new Set(names)];
}
