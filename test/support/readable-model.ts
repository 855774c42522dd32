/** A slow and plain model of what grants let be read, written without the code of the server. */

/** An object of the world, with what each limit of a grant sees of it; what does not concern its kind is missing. */
export interface ModelObject {
  readonly kind: string;
  readonly id: number;
  readonly sites?: readonly number[];
  readonly pages?: readonly number[];
  readonly collections?: readonly (number | string)[];
  readonly languages?: readonly string[];
  readonly workflows?: readonly number[];
}

export interface ModelGrant {
  readonly actions: readonly string[];
  readonly on: Readonly<Record<string, readonly (number | string)[]>>;
}

/** Whether one of the grants lets an object be read: all limits apply, and one that does not concern it excludes it. */
export function isReadable(grants: readonly ModelGrant[], object: ModelObject): boolean {
  return grants.some(({ actions, on }) => {
    if (!actions.includes('read')) return false;
    const { kind, id: _id, ...places } = object;
    const seen: Readonly<Record<string, readonly (number | string)[] | undefined>> = {
      kinds: [kind],
      ...places,
    };
    return Object.entries(on).every(([limit, entries]) =>
      (seen[limit] ?? []).some((one) => entries.includes(one)),
    );
  });
}

/** A page with where it stands. */
export interface ModelPage extends ModelObject {
  /** IDs of the page and of those above it. */
  readonly pages: readonly number[];
}

/** What a list of pages shows: whole pages, and of those above them only where they stand. */
export function listShownPages(
  grants: readonly ModelGrant[],
  pages: readonly ModelPage[],
): { readonly whole: readonly number[]; readonly outlines: readonly number[] } {
  const whole = pages.filter((page) => isReadable(grants, page)).map(({ id }) => id);
  const above = new Set(pages.filter(({ id }) => whole.includes(id)).flatMap((page) => page.pages));
  return { whole, outlines: [...above].filter((id) => !whole.includes(id)) };
}
