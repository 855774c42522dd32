/** Addresses below /media/ in texts of any language: templates, CSS, JS, values of entries. */

/** Most different addresses that one text is searched for. */
const maxLinks = 1000;

const address = /\/media\/([a-z0-9_-]{1,200}\.[a-z0-9]{1,10})(?:\.webp)?(?![a-z0-9_.-]*\/)/g;

/** Paths of files below /media/ that a text names, each once. The WebP version counts as its file. */
export function mediaLinksIn(source: string): string[] {
  if (!source.includes('/media/')) return [];
  const paths = new Set<string>();
  for (const [, path = ''] of source.matchAll(address)) {
    paths.add(path);
    if (paths.size === maxLinks) break;
  }
  return [...paths];
}

/** Addresses below /media/ in HTML with their queries, each once; at most 500. */
export function mediaAddressesIn(html: string): string[] {
  const found = new Set<string>();
  for (const [address] of html.matchAll(/\/media\/[a-z0-9_.-]{1,210}(?:\?[^\s"'<>()]{1,500})?/g)) {
    found.add(address.replaceAll('&amp;', '&'));
    if (found.size === 500) break;
  }
  return [...found];
}

/** Whether a text may name a file. */
export function mayHaveMediaLinks(source: string): boolean {
  return source.includes('/media/');
}
