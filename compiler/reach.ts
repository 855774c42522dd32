/**
 * What can only be said of a template together with all it reaches: names it may read from its caller, and whether
 * rendering it may be asynchronous. Worked out for a whole closed set of templates at once, because they may
 * include each other in circles.
 */
import type { Dependency, Facts } from './facts.ts';
import type { CompilerOptions } from './options.ts';

export type Reads = ReadonlySet<string> | 'all';

export interface Reach {
  readonly reads: Reads;
  readonly async: boolean;
  /** Whether the block tree of the page is output here or in anything reached; overridden blocks count. */
  readonly rendersBlocks: boolean;
}

/** Facts of a template by name; undefined if there is none or it does not parse (its own render says so). */
export type FactsOf = (name: string) => Facts | undefined;

/** The reach of one template; `memo` holds those of named templates already worked out. */
export function reachOf(
  facts: Facts,
  factsOf: FactsOf,
  options: CompilerOptions,
  memo: Map<string, Reach>,
): Reach {
  const members = closure(facts, factsOf, memo);
  let changed = true;
  const reachByName = (name: string) => memo.get(name) ?? members.get(name)?.reach;
  while (changed) {
    changed = false;
    for (const member of members.values()) {
      const next = combine(member.facts, reachByName, options);
      if (differs(next, member.reach) || sizeOf(next.reads) !== sizeOf(member.reach.reads)) changed = true;
      member.reach = next;
    }
  }
  for (const [name, member] of members) if (name !== '') memo.set(name, member.reach);
  return combine(facts, reachByName, options);
}

/** The template whose name a dependency can only be known by rendering. */
function isComputed(dependency: Dependency, exists: (name: string) => boolean): boolean {
  return dependency.name === null || (dependency.word && !exists(dependency.name));
}

interface Member {
  readonly facts: Facts;
  reach: Reach;
}

function closure(facts: Facts, factsOf: FactsOf, memo: ReadonlyMap<string, Reach>): Map<string, Member> {
  const members = new Map<string, Member>();
  const open: [string, Facts][] = [['', facts]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [name, memberFacts] = next;
    members.set(name, { facts: memberFacts, reach: nothingReached(memberFacts) });
    for (const { name: dependency } of memberFacts.dependencies) {
      if (dependency === null || members.has(dependency) || memo.has(dependency)) continue;
      const found = factsOf(dependency);
      if (found) open.push([dependency, found]);
    }
  }
  return members;
}

function combine(
  facts: Facts,
  reachByName: (name: string) => Reach | undefined,
  options: CompilerOptions,
): Reach {
  const anyAsync = [...options.functions.values()].some((signature) => signature.async === true);
  const exists = (name: string) => reachByName(name) !== undefined;
  let reads: Reads = new Set(facts.free);
  let rendersBlocks = facts.outputsPageBlocks;
  let async = facts.functions.some((name) => options.functions.get(name)?.async === true);
  for (const dependency of facts.dependencies) {
    if (isComputed(dependency, exists)) {
      if (dependency.seesCaller) reads = 'all';
      async ||= anyAsync;
      continue;
    }
    const reach = dependency.name === null ? undefined : reachByName(dependency.name);
    if (reach === undefined) continue;
    async ||= reach.async;
    rendersBlocks ||= reach.rendersBlocks;
    if (dependency.seesCaller) reads = union(reads, reach.reads, dependency.binds);
  }
  return { reads, async, rendersBlocks };
}

function nothingReached({ free }: Facts): Reach {
  return { reads: new Set(free), async: false, rendersBlocks: false };
}

function differs(a: Reach, b: Reach): boolean {
  return a.async !== b.async || a.rendersBlocks !== b.rendersBlocks;
}

function union(reads: Reads, more: Reads, except: readonly string[]): Reads {
  if (reads === 'all' || more === 'all') return 'all';
  const bound = new Set(except);
  return new Set([...reads, ...[...more].filter((name) => !bound.has(name))]);
}

function sizeOf(reads: Reads): number {
  return reads === 'all' ? Number.POSITIVE_INFINITY : reads.size;
}
