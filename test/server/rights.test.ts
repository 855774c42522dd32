import { describe, expect, it } from 'vitest';
import {
  type Action,
  actions,
  allows,
  type Grant,
  type GrantLimits,
  type Grants,
  type Placement,
} from '../../server/base/rights.ts';

/** The decision between grants and objects, against a slow model that is written from the contract. */

/** Numbers that are the same in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const kinds = ['page', 'item', 'snippet', 'collection', 'redirect', 'workflow', 'setting'];
const slugs = ['news', 'team', 'jobs'];
const languages = ['de', 'en', 'fr'];

function createWorld(random: (below: number) => number) {
  const pick = <Value>(values: readonly Value[]): readonly Value[] => values.filter(() => random(3) === 0);
  const maybe = <Value>(values: readonly Value[]) => (random(4) === 0 ? pick(values) : undefined);
  const numbers = [1, 2, 3, 4, 5, 6];
  const limitsOf = (): GrantLimits => {
    const limits = {
      kinds: maybe(kinds),
      sites: maybe(numbers),
      pages: maybe(numbers),
      collections: maybe<number | string>([...numbers, ...slugs]),
      languages: maybe(languages),
      workflows: maybe(numbers),
    };
    return Object.fromEntries(Object.entries(limits).filter(([, values]) => values !== undefined));
  };
  const grant = (): Grant => ({ actions: pick(actions), on: limitsOf() });
  const placement = (): Placement => {
    const number = () => numbers[random(numbers.length)] ?? 1;
    const parts: Placement = { kind: kinds[random(kinds.length)] ?? 'page', id: number() };
    const index = random(slugs.length);
    return {
      ...parts,
      ...(random(2) === 0 ? { site: number() } : {}),
      ...(random(2) === 0 ? { pages: pick(numbers) } : {}),
      ...(random(2) === 0 ? { collection: { id: index + 1, slug: slugs[index] ?? '' } } : {}),
      ...(random(2) === 0 ? { language: languages[random(languages.length)] ?? 'de' } : {}),
      ...(random(2) === 0 ? { workflow: number() } : {}),
    };
  };
  return {
    grants: (): Grants => Array.from({ length: random(5) }, grant),
    placement,
    action: (): Action => actions[random(actions.length)] ?? 'read',
  };
}

/** The contract, sentence by sentence. */
function mayByContract(grants: Grants, action: Action, object: Placement): boolean {
  // Grants add up; there is no deny.
  for (const grant of grants) {
    if (!grant.actions.includes(action)) continue;
    let applies = true;
    // Different limits of one grant all apply.
    for (const [limit, entries] of Object.entries(grant.on)) {
      const own = valuesOf(object, limit);
      // One that does not concern a kind excludes it; entries of one limit are alternatives.
      let isNamed = false;
      for (const entry of entries) for (const value of own) if (entry === value) isNamed = true;
      if (!isNamed) applies = false;
    }
    if (applies) return true;
  }
  return false;
}

function valuesOf(object: Placement, limit: string): readonly (number | string | undefined)[] {
  switch (limit) {
    case 'kinds':
      return [object.kind];
    case 'sites':
      return [object.site];
    case 'pages':
      return object.pages ?? [];
    case 'collections':
      return [object.collection?.id, object.collection?.slug];
    case 'languages':
      return [object.language];
    default:
      return [object.workflow];
  }
}

describe('allows', () => {
  it('is what the contract says, for 10,000 sets of grants and many requests each', () => {
    const world = createWorld(createRandom(20_261_128));
    let allowed = 0;
    for (let set = 0; set < 10_000; set++) {
      const grants = world.grants();
      for (let request = 0; request < 20; request++) {
        const [action, object] = [world.action(), world.placement()];
        const expected = mayByContract(grants, action, object);
        if (expected) allowed += 1;
        if (allows(grants, action, object) !== expected)
          throw new Error(
            `${action} ${JSON.stringify(object)} by ${JSON.stringify(grants)}: not ${expected}`,
          );
      }
    }
    // Both answers are frequent, so the comparison means something.
    expect(allowed).toBeGreaterThan(10_000);
    expect(allowed).toBeLessThan(190_000);
  });

  it('gives everything with an empty `on`, and nothing with an empty list', () => {
    const page: Placement = { kind: 'page', id: 1, site: 1, pages: [1], language: 'de' };
    expect(allows([{ actions: ['edit'], on: {} }], 'edit', page)).toBe(true);
    expect(allows([{ actions: ['edit'], on: { pages: [] } }], 'edit', page)).toBe(false);
    expect(allows([{ actions: ['edit'], on: { workflows: [1] } }], 'edit', page)).toBe(false);
    expect(allows([], 'read', page)).toBe(false);
  });
});
