/** Paths of HTTP inputs, below `/api/v1/flows/`: `orders/{id}` or, for all that follows, `files/{rest...}`. */

export type PathSegment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'one'; readonly name: string }
  | { readonly kind: 'rest'; readonly name: string };

const maxSegments = 50;

/** @throws Error that says what is wrong */
export function parseInputPath(path: string): readonly PathSegment[] {
  const trimmed = path.trim().replace(/^\//, '');
  if (trimmed === '') throw new Error('must not be empty');
  const parts = trimmed.split('/');
  if (parts.length > maxSegments) throw new Error(`must have at most ${maxSegments} parts`);
  const segments = parts.map(segmentOf);
  const rest = segments.findIndex(({ kind }) => kind === 'rest');
  if (rest >= 0 && rest < segments.length - 1) throw new Error('may have {name...} at the end only');
  const names = segments.flatMap((segment) => (segment.kind === 'literal' ? [] : [segment.name]));
  if (new Set(names).size < names.length) throw new Error('has two placeholders of one name');
  return segments;
}

/** The path without the names of its placeholders: paths of one shape answer the same addresses. */
export function computePathShape(segments: readonly PathSegment[]): string {
  const marks = { one: '{}', rest: '{...}' } as const;
  return segments.map((part) => (part.kind === 'literal' ? part.text : marks[part.kind])).join('/');
}

function segmentOf(text: string): PathSegment {
  const [, name, dots] = /^\{([A-Za-z_][A-Za-z0-9_]*)(\.\.\.)?\}$/.exec(text) ?? [];
  if (name !== undefined) return { kind: dots === undefined ? 'one' : 'rest', name };
  if (text === '' || text === '.' || text === '..')
    throw new Error('must not have empty parts or dots alone');
  if (/[{}]/.test(text)) throw new Error(`has the wrong placeholder "${text}", expected {name} or {name...}`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[?#\\%\s\u0000-\u001f\u007f]/.test(text) || !text.isWellFormed())
    throw new Error(`has a character in "${text}" that is not permitted`);
  return { kind: 'literal', text };
}
