/** The data of the comparison: templates as trees, so that a difference can be shrunk. */

/** Text, an output or a tag without a body; or a tag with bodies. */
export type Piece = string | PairedPiece;

export interface PairedPiece {
  readonly open: string;
  /** One more than `dividers`. */
  readonly bodies: readonly (readonly Piece[])[];
  readonly dividers: readonly string[];
  readonly close: string;
}

/** Templates by name. `page` is the one that is rendered. */
export type Pieces = ReadonlyMap<string, readonly Piece[]>;

export interface Case {
  readonly seed: number;
  readonly pieces: Pieces;
  /** The variables as JSON, with `{"$safe": text}` and the like for what JSON does not have. */
  readonly context: string;
}

/** What one engine made of a case. */
export type Outcome = { readonly output: string } | { readonly error: string };

export const entryName = 'page';

export function sourcesOf({ pieces }: Case): Record<string, string> {
  return Object.fromEntries([...pieces].map(([name, list]) => [name, textOf(list)]));
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : pairedText(piece))).join('');
}

function pairedText({ open, bodies, dividers, close }: PairedPiece): string {
  const parts = bodies.map((body, index) => textOf(body) + (dividers[index] ?? close));
  return open + parts.join('');
}

/** Whether both engines gave the same output, or both refused. */
export function isSame(one: Outcome, other: Outcome): boolean {
  if ('output' in one) return 'output' in other && one.output === other.output;
  return 'error' in other;
}
