/**
 * The stored field that a field in an editor is. One that is given the name of a stored one is still new: the first with
 * the name is the stored one.
 */
export function findKnown<Field extends { readonly name: string }>(
  stored: readonly Field[],
  fields: readonly { readonly name: string }[],
  place: number,
): Field | undefined {
  const name = fields[place]?.name;
  if (fields.findIndex((field) => field.name === name) !== place) return undefined;
  return stored.find((field) => field.name === name);
}
