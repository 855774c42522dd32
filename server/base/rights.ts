/** What callers may do: roles, grants and where objects stand. Pure; `features/roles` stores roles. */

export const actions = ['read', 'edit', 'publish', 'delete', 'code', 'run', 'settings', 'users'] as const;

export type Action = (typeof actions)[number];

/** Whether an action changes something. */
export function isWriting(action: Action): boolean {
  return action !== 'read';
}

/** Limits of a grant. All of them hold at once; one that is missing limits nothing. */
export interface GrantLimits {
  readonly kinds?: readonly string[];
  /** IDs of root pages. */
  readonly sites?: readonly number[];
  /** IDs of pages, each with its subtree. */
  readonly pages?: readonly number[];
  /** IDs or slugs. */
  readonly collections?: readonly (number | string)[];
  readonly languages?: readonly string[];
  readonly workflows?: readonly number[];
}

/** Actions that a role gives on some objects; with empty limits on all. */
export interface Grant {
  readonly actions: readonly Action[];
  readonly on: GrantLimits;
}

/** What grants give together. `undefined` in place of them stands for everything. */
export type Grants = readonly Grant[];

/** Where an object stands, as limits see it. A part that is missing does not concern the kind. */
export interface Placement {
  readonly kind: string;
  readonly id?: number | undefined;
  /** ID of its root page. */
  readonly site?: number;
  /** IDs of the page and of all pages above it. */
  readonly pages?: readonly number[];
  readonly collection?: { readonly id: number; readonly slug: string };
  readonly language?: string;
  readonly workflow?: number;
}

/**
 * Whether grants allow an action on an object. Without a placement, whether they allow it on any object at all.
 */
export function allows(grants: Grants, action: Action, placement?: Placement): boolean {
  return grants.some(
    (grant) => grant.actions.includes(action) && (placement === undefined || isWithin(grant.on, placement)),
  );
}

/** Whether grants may allow an action on some object of a kind. */
export function allowsOnSome(grants: Grants, action: Action, kind: string): boolean {
  return grants.some(({ actions, on }) => actions.includes(action) && (on.kinds?.includes(kind) ?? true));
}

/** Whether an object stands within all limits. A limit that does not concern its kind excludes it. */
function isWithin(limits: GrantLimits, placement: Placement): boolean {
  return checks.every((check) => check(limits, placement));
}

type Check = (limits: GrantLimits, placement: Placement) => boolean;

const checks: readonly Check[] = [
  ({ kinds }, { kind }) => kinds === undefined || kinds.includes(kind),
  ({ sites }, { site }) => isAmong(sites, site),
  ({ pages }, { pages: above }) => pages === undefined || (above ?? []).some((id) => pages.includes(id)),
  ({ collections }, { collection }) =>
    collections === undefined ||
    (collection !== undefined &&
      (collections.includes(collection.id) || collections.includes(collection.slug))),
  ({ languages }, { language }) => isAmong(languages, language),
  ({ workflows }, { workflow }) => isAmong(workflows, workflow),
];

function isAmong<Value>(values: readonly Value[] | undefined, value: Value | undefined): boolean {
  return values === undefined || (value !== undefined && values.includes(value));
}
