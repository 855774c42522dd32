/**
 * What pages have in common around their contents. Pages are read as tokens (tags, texts, template tags), and only
 * whole tokens are shared, so a layout made of them never cuts a tag in two.
 */
import { LCS } from 'node-diff3';
import type { LayoutPattern } from '../messages.ts';

/** A shared part that is shorter than this, in characters, is left to the pages. */
const minRunLength = 50;
/** Most different parts of one layout. */
const maxHoles = 12;
/** A layout that shares less than this of a page, in characters, is not worth having. */
const minShared = 200;
/** Pages with more tokens are not compared: the comparison takes time that grows with their square. */
const maxTokens = 4000;
/** Pages that are compared token by token; the others have the layout or not. */
const maxCompared = 24;

const token =
  /\{% verbatim[^%]*%\}[\s\S]*?\{% endverbatim[^%]*%\}|<!--[\s\S]*?-->|<(?:script|style)\b[^>]*>[\s\S]*?<\/(?:script|style)>|<[^>]*>|[^<{]+|[<{]/g;

/** A page that shares less than this part of what the others have in common has another layout. */
const minKept = 0.3;

/** The layout of most of the pages; undefined if they have too little in common. */
export function findLayout(pages: readonly string[]): LayoutPattern | undefined {
  const step = Math.ceil(pages.length / maxCompared);
  const lists = pages
    .filter((_html, index) => index % step === 0)
    .map((html) => html.match(token) ?? [])
    .filter(({ length }) => length <= maxTokens);
  // Any page may be unlike the others, so several are tried as the one that the others are compared with.
  const found = [...new Set([lists[0], lists[Math.floor(lists.length / 2)], lists.at(-1)])].flatMap(
    (first) => (first === undefined ? [] : runsLike(first, lists)),
  );
  const [best] = found.sort((left, right) => right.score - left.score);
  return best === undefined ? undefined : withNames(best.runs, pages);
}

/** What most pages share with one of them; how much that is, over all pages. */
function runsLike(
  first: readonly string[],
  lists: readonly (readonly string[])[],
): { readonly runs: readonly string[]; readonly score: number }[] {
  let common: readonly string[] = first;
  const alike: (readonly string[])[] = [];
  for (const list of lists) {
    const next = commonOf(common, list);
    if (sizeOf(next) < sizeOf(common) * minKept) continue;
    common = next;
    alike.push(list);
  }
  const runs = alike.length < 3 ? [] : runsOf(common, alike);
  const shared = sizeOf(runs);
  return shared < minShared ? [] : [{ runs, score: shared * alike.length }];
}

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

function commonOf(left: readonly string[], right: readonly string[]): string[] {
  const common: string[] = [];
  let entry: ReturnType<typeof LCS<string>> | null = LCS([...left], [...right]);
  while (entry !== null && entry.buffer1index >= 0) {
    common.push(left[entry.buffer1index] ?? '');
    entry = entry.chain;
  }
  return common.reverse();
}

/** The shared tokens joined to texts, as far as nothing stands between them in any page. */
function runsOf(common: readonly string[], lists: readonly (readonly string[])[]): string[] {
  const isCut = new Array<boolean>(common.length).fill(false);
  for (const tokens of lists) {
    let at = 0;
    for (const [index, shared] of common.entries()) {
      const found = tokens.indexOf(shared, at);
      if (found < 0) return [];
      if (found > at && index > 0) isCut[index] = true;
      at = found + 1;
    }
  }
  const runs: string[] = [];
  for (const [index, text] of common.entries()) {
    if (index === 0 || isCut[index] === true) runs.push(text);
    else runs[runs.length - 1] += text;
  }
  let kept = runs.filter((run) => run.length >= minRunLength);
  while (kept.length > maxHoles) {
    const shortest = Math.min(...kept.map(({ length }) => length));
    kept = kept.filter(({ length }) => length > shortest);
  }
  return kept;
}

/** The largest part that differs is the content. */
function withNames(runs: readonly string[], pages: readonly string[]): LayoutPattern {
  const unnamed = { runs, holes: runs.map(() => '').concat('') };
  const sizes = new Array<number>(runs.length + 1).fill(0);
  for (const html of pages)
    for (const [index, part] of (splitByLayout(unnamed, html) ?? []).entries())
      sizes[index] = (sizes[index] ?? 0) + part.length;
  const largest = sizes.indexOf(Math.max(...sizes));
  return { runs, holes: sizes.map((_, index) => (index === largest ? 'content' : `part${index + 1}`)) };
}

/** The parts of a page between the shared ones; undefined if the page does not have the layout. */
export function splitByLayout({ runs }: LayoutPattern, html: string): string[] | undefined {
  const parts: string[] = [];
  let from = 0;
  for (const [index, run] of runs.entries()) {
    const isLast = index === runs.length - 1;
    const at = isLast ? html.lastIndexOf(run) : html.indexOf(run, from);
    if (at < from) return undefined;
    parts.push(html.slice(from, at));
    from = at + run.length;
  }
  return [...parts, html.slice(from)];
}

/** The template of a layout. */
export function layoutTemplate({ runs, holes }: LayoutPattern): string {
  return holes.map((name, index) => `{% block ${name} %}{% endblock %}${runs[index] ?? ''}`).join('');
}

/** The template of a page with a layout. */
export function pageWithLayout({ holes }: LayoutPattern, name: string, parts: readonly string[]): string {
  const blocks = holes.flatMap((hole, index) => {
    const part = parts[index] ?? '';
    return part === '' ? [] : [`{% block ${hole} %}${part}{% endblock %}`];
  });
  return [`{% extends "${name}" %}`, ...blocks].join('\n');
}
