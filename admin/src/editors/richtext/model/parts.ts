/**
 * A value in parts that remember their source. What is not touched is written as it was read, byte for byte: a
 * document is only asked which of its nodes are still the same.
 */
import type { Node } from 'prosemirror-model';

/** What lies between the tags of an element, or between the marks of a list. */
export interface Inner {
  readonly open: string;
  readonly sequence: Sequence;
  readonly close: string;
}

export interface SourcePart {
  readonly node: Node;
  readonly source: string;
  /** What stands between the part before and this one. */
  readonly before: string;
  /** Undefined for a part that is written as a whole. */
  readonly inner?: Inner | undefined;
}

export interface Sequence {
  readonly parts: readonly SourcePart[];
  /** What stands behind the last part. */
  readonly tail: string;
}

/** A node of a changed document, with the part that it was or still is. */
export interface Matched {
  readonly node: Node;
  readonly part: SourcePart | undefined;
  /** Place of the part in its sequence; -1 without one. */
  readonly index: number;
  readonly isUntouched: boolean;
}

function isSame(node: Node, part: SourcePart | undefined): boolean {
  return part !== undefined && (node === part.node || node.eq(part.node));
}

/** Finds the parts of nodes. Touched nodes between untouched ones are paired in order if none came or went. */
function matchParts(nodes: readonly Node[], { parts }: Sequence): readonly Matched[] {
  const found: (number | undefined)[] = [];
  let next = 0;
  for (const node of nodes) {
    const ahead = nodes.length - found.length;
    // Most nodes are where they were, counted from the start or, behind a change, from the end.
    const guesses = [next, parts.length - ahead];
    const guess = guesses.find((index) => index >= next && isSame(node, parts[index]));
    const index = guess ?? parts.findIndex((part, place) => place >= next && isSame(node, part));
    found.push(index < 0 ? undefined : index);
    if (index >= 0) next = index + 1;
  }
  const paired = pairTouched(found, parts.length);
  return nodes.map((node, place) => {
    const isUntouched = found[place] !== undefined;
    const index = found[place] ?? paired.get(place) ?? -1;
    return { node, part: parts[index], index, isUntouched };
  });
}

function pairTouched(found: readonly (number | undefined)[], count: number): ReadonlyMap<number, number> {
  const paired = new Map<number, number>();
  let lastPart = -1;
  let touched: number[] = [];
  for (const [place, index] of [...found, count].entries()) {
    if (index === undefined) touched.push(place);
    else {
      if (index - lastPart - 1 === touched.length)
        for (const [offset, own] of touched.entries()) paired.set(own, lastPart + 1 + offset);
      lastPart = index;
      touched = [];
    }
  }
  return paired;
}

/** How a format writes what has been touched. */
export interface Writing {
  /** Between parts of which at least one is new. */
  readonly gap: string;
  /** Whether what stood between two parts may stay between what they have become. */
  keepsGap(before: Matched, after: Matched): boolean;
  write(matched: Matched, neighbours: readonly (Node | undefined)[]): string;
}

/** The text of nodes of which some are parts of a sequence. */
export function writeSequence(
  nodes: readonly Node[],
  sequence: Sequence,
  { gap, keepsGap, write }: Writing,
): string {
  const matched = matchParts(nodes, sequence);
  const texts = matched.map((own, place) => {
    const before = matched[place - 1];
    const neighbours = [before?.node, matched[place + 1]?.node];
    const isFollowing =
      before === undefined ? own.index === 0 : before.index >= 0 && own.index === before.index + 1;
    const isKept = isFollowing && own.part !== undefined && (before === undefined || keepsGap(before, own));
    const between = isKept
      ? (own.part?.before ?? '')
      : before === undefined
        ? (sequence.parts[0]?.before ?? '')
        : gap;
    return between + write(own, neighbours);
  });
  return texts.join('') + sequence.tail;
}
