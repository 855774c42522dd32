/** Rows or columns of a file with their place in it, which is all that tells them apart: names may repeat. */
export function withPlace<Item extends object>(
  items: readonly Item[],
): readonly (Item & { readonly place: number })[] {
  return items.map((item, place) => ({ ...item, place }));
}
