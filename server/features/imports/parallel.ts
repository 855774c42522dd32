/**
 * Calls `work` for each item, `width` at a time. The first error ends it; items that have not begun are left out. When
 * it has ended, no work is running any more.
 */
export async function forEachInParallel<Item>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  let failure: { readonly error: unknown } | undefined;
  const lane = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true && failure === undefined; next = iterator.next()) {
      try {
        await work(next.value);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  if (failure !== undefined) throw failure.error;
}
