/** The attribute `srcset` (HTML, "Parsing a srcset attribute"). */

export interface Candidate {
  readonly url: string;
  /** Width in pixels, for a descriptor like `640w`. */
  readonly width?: number;
  /** Pixel density, for a descriptor like `2x` or none. */
  readonly density?: number;
}

/** The candidates of a srcset in their order; those that make no sense are left out. */
export function parseSrcset(text: string): Candidate[] {
  const candidates: Candidate[] = [];
  let rest = text.replace(/^[\s,]+/, '');
  while (rest !== '') {
    const [url = ''] = /^\S+/.exec(rest) ?? [];
    rest = rest.slice(url.length);
    let descriptor = '';
    if (!url.endsWith(',')) {
      const [whole = ''] = /^(?:[^,(]|\([^)]*\)?)*/.exec(rest) ?? [];
      descriptor = whole.trim();
      rest = rest.slice(whole.length);
    }
    const candidate = candidateOf(url.replace(/,+$/, ''), descriptor);
    if (candidate !== undefined) candidates.push(candidate);
    rest = rest.replace(/^[\s,]+/, '');
  }
  return candidates;
}

function candidateOf(url: string, descriptor: string): Candidate | undefined {
  if (url === '') return undefined;
  if (descriptor === '') return { url, density: 1 };
  const [, width] = /(?:^|\s)(\d+)w(?:\s|$)/.exec(descriptor) ?? [];
  if (width !== undefined) return { url, width: Number(width) };
  const [, density] = /(?:^|\s)(\d*\.?\d+)x(?:\s|$)/.exec(descriptor) ?? [];
  return density === undefined ? undefined : { url, density: Number(density) };
}

/** The largest candidate; of equal ones the first. */
export function findLargest(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.reduce<Candidate | undefined>(
    (best, candidate) => (best === undefined || sizeOf(candidate) > sizeOf(best) ? candidate : best),
    undefined,
  );
}

function sizeOf({ width, density }: Candidate): number {
  return width ?? density ?? 0;
}
