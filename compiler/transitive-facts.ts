/**
 * Facts about a template together with all templates it reaches: names it may read from its caller, and
 * whether its render may be asynchronous. They are computed for a whole closed set of templates at once,
 * because templates may include each other in circles.
 */
import type { Dependency, Facts } from './facts.ts';
import type { CompilerOptions } from './options.ts';

export type NameSet = ReadonlySet<string> | 'all';

export interface TransitiveFacts {
  readonly reads: NameSet;
  /** Names to which a cycle may give another value where the caller has them. Never too few, perhaps more. */
  readonly rebinds: NameSet;
  readonly async: boolean;
  /** Whether this template or one it reaches outputs the block tree of the page. Overridden blocks count. */
  readonly rendersBlocks: boolean;
}

/** Facts of a template by name; undefined if there is none or it does not parse (its render reports that). */
export type FactsOf = (name: string) => Facts | undefined;

/** The reach of one template. `memo` holds the reach of named templates that is already computed. */
export function computeReach(
  facts: Facts,
  factsOf: FactsOf,
  options: CompilerOptions,
  memo: Map<string, TransitiveFacts>,
): TransitiveFacts {
  if (facts.dependencies.length === 0) return combine(facts, () => undefined, options);
  const members = closure(facts, factsOf, memo);
  const reachByName = (name: string) => memo.get(name) ?? members.get(name)?.reach;
  // `members` lists a template before the templates it reaches. The reverse order needs fewer rounds.
  let open = new Set([...members.keys()].reverse());
  while (open.size > 0) {
    const next = new Set<string>();
    for (const name of open) {
      const member = members.get(name);
      if (member === undefined) continue;
      const reach = combine(member.facts, reachByName, options);
      if (!differs(reach, member.reach)) continue;
      member.reach = reach;
      for (const user of member.users) next.add(user);
    }
    open = next;
  }
  for (const [name, member] of members) if (name !== '') memo.set(name, member.reach);
  return combine(facts, reachByName, options);
}

/** Whether the name of the other template is known only while rendering. */
function isComputed(dependency: Dependency, exists: (name: string) => boolean): boolean {
  return dependency.name === null || (dependency.word && !exists(dependency.name));
}

interface Member {
  readonly facts: Facts;
  /** Names of the members that depend on this one. */
  readonly users: Set<string>;
  reach: TransitiveFacts;
}

function closure(
  facts: Facts,
  factsOf: FactsOf,
  memo: ReadonlyMap<string, TransitiveFacts>,
): Map<string, Member> {
  const members = new Map<string, Member>();
  const add = (name: string, memberFacts: Facts): Member => {
    const member = { facts: memberFacts, users: new Set<string>(), reach: nothingReached(memberFacts) };
    members.set(name, member);
    return member;
  };
  add('', facts);
  // The loop also visits members that are added while it runs.
  for (const [name, { facts: memberFacts }] of members) {
    for (const { name: dependency } of memberFacts.dependencies) {
      if (dependency === null || memo.has(dependency)) continue;
      const found = members.get(dependency)?.facts ?? factsOf(dependency);
      if (found) (members.get(dependency) ?? add(dependency, found)).users.add(name);
    }
  }
  return members;
}

function combine(
  facts: Facts,
  reachByName: (name: string) => TransitiveFacts | undefined,
  options: CompilerOptions,
): TransitiveFacts {
  const exists = (name: string) => reachByName(name) !== undefined;
  let reads: NameSet = boundedSet(facts.free);
  let rebinds: NameSet = boundedSet(facts.cycles);
  let rendersBlocks = facts.outputsPageBlocks;
  let async = facts.functions.some((name) => options.functions.get(name)?.async === true);
  for (const dependency of facts.dependencies) {
    if (isComputed(dependency, exists)) {
      if (dependency.seesCaller) reads = 'all';
      rebinds = 'all';
      async ||= anyAsync(options);
      continue;
    }
    const reach = dependency.name === null ? undefined : reachByName(dependency.name);
    if (reach === undefined) continue;
    async ||= reach.async;
    rendersBlocks ||= reach.rendersBlocks;
    // Without the variables of the caller, a cycle still finds those of the render context.
    rebinds = union(rebinds, reach.rebinds, []);
    if (dependency.seesCaller) reads = union(reads, reach.reads, dependency.binds);
  }
  return { reads, rebinds, async, rendersBlocks };
}

function anyAsync({ functions }: CompilerOptions): boolean {
  return [...functions.values()].some((signature) => signature.async === true);
}

function nothingReached({ free, cycles }: Facts): TransitiveFacts {
  return {
    reads: boundedSet(free),
    rebinds: boundedSet(cycles),
    async: false,
    rendersBlocks: false,
  };
}

function differs(a: TransitiveFacts, b: TransitiveFacts): boolean {
  return (
    a.async !== b.async ||
    a.rendersBlocks !== b.rendersBlocks ||
    sizeOf(a.reads) !== sizeOf(b.reads) ||
    sizeOf(a.rebinds) !== sizeOf(b.rebinds)
  );
}

function union(reads: NameSet, more: NameSet, except: readonly string[]): NameSet {
  if (reads === 'all' || more === 'all') return 'all';
  const bound = new Set(except);
  const names = new Set(reads);
  for (const name of more) if (!bound.has(name)) names.add(name);
  return bounded(names);
}

/** More names than this count as `all`: a set of names is kept for every template that leads to them. */
const maxReads = 1_000;

function bounded(names: ReadonlySet<string>): NameSet {
  return names.size > maxReads ? 'all' : names;
}

function boundedSet(names: readonly string[]): NameSet {
  return names.length === 0 ? noNames : bounded(new Set(names));
}

const noNames: ReadonlySet<string> = new Set();

export function hasNames(reads: NameSet): boolean {
  return sizeOf(reads) > 0;
}

function sizeOf(reads: NameSet): number {
  return reads === 'all' ? Number.POSITIVE_INFINITY : reads.size;
}
