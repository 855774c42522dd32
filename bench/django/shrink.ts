/** Makes a case smaller while both engines still differ, so that its cause shows. */
import type { Case, PairedPiece, Piece } from './case.ts';

/** Cases tried at once. The first that still differs is taken. */
const batchSize = 20;

/** @param differs whether the engines differ, for each case in turn */
export async function shrunk(
  one: Case,
  differs: (cases: readonly Case[]) => Promise<readonly boolean[]>,
): Promise<Case> {
  let smallest = one;
  for (;;) {
    const smaller = await firstThatDiffers(smallerCases(smallest), differs);
    if (smaller === undefined) return smallest;
    smallest = smaller;
  }
}

async function firstThatDiffers(
  candidates: readonly Case[],
  differs: (cases: readonly Case[]) => Promise<readonly boolean[]>,
): Promise<Case | undefined> {
  for (let start = 0; start < candidates.length; start += batchSize) {
    const batch = candidates.slice(start, start + batchSize);
    const found = (await differs(batch)).indexOf(true);
    if (found >= 0) return batch[found];
  }
  return undefined;
}

/** All cases with one piece or template less, or with a simpler piece. */
function smallerCases(one: Case): readonly Case[] {
  return [...one.pieces].flatMap(([name, pieces]) => {
    const lists = smallerLists(pieces).map((list) => ({
      ...one,
      pieces: new Map(one.pieces).set(name, list),
    }));
    if (name === 'page') return lists;
    const without = new Map(one.pieces);
    without.delete(name);
    return [{ ...one, pieces: without }, ...lists];
  });
}

type Pieces = readonly Piece[];

function smallerLists(pieces: Pieces): readonly Pieces[] {
  const halves =
    pieces.length > 3 ? [pieces.slice(0, pieces.length >> 1), pieces.slice(pieces.length >> 1)] : [];
  const single = pieces.flatMap((piece, index) => {
    const replaced = (others: Pieces) => [...pieces.slice(0, index), ...others, ...pieces.slice(index + 1)];
    return [[], ...simpler(piece)].map(replaced);
  });
  return [...halves, ...single];
}

/** Lists of pieces that may stand in place of a piece. */
function simpler(piece: Piece): readonly Pieces[] {
  if (typeof piece === 'string') return simplerTags(piece).map((text) => [text]);
  const { bodies, dividers } = piece;
  const oneBodyLess = dividers.map((_, index) => [withoutBody(piece, index + 1)]);
  const inside = bodies.flatMap((body, index) =>
    smallerLists(body).map((smaller) => [{ ...piece, bodies: bodies.with(index, smaller) }]),
  );
  const open = simplerTags(piece.open).map((text) => [{ ...piece, open: text }]);
  return [...bodies, ...oneBodyLess, ...inside, ...open];
}

function withoutBody(piece: PairedPiece, index: number): PairedPiece {
  return {
    ...piece,
    bodies: piece.bodies.filter((_, at) => at !== index),
    dividers: piece.dividers.filter((_, at) => at !== index - 1),
  };
}

/** The tag with one filter or argument less. */
function simplerTags(text: string): readonly string[] {
  if (!/^[[(]?\{[{%]/.test(text)) return [];
  const filters = [...text.matchAll(/\|\w+(?::(?:"(?:[^"\\]|\\.)*"|[-\w.]+))?/g)];
  const words = [...text.matchAll(/ (?:not )?(?:\w+=)?[-\w.|:"]+(?= (?!as |by |in ))/g)];
  const removable = text.startsWith('{% cycle') ? filters : [...filters, ...words];
  return removable.map((match) => text.slice(0, match.index) + text.slice(match.index + match[0].length));
}
