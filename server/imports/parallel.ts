/** Calls `work` for each item, `width` at a time. The first error ends it; items that have not begun are left out. */
export async function forEachInParallel<Item>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  let failed = false;
  const lane = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true && !failed; next = iterator.next()) {
      try {
        await work(next.value);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
}
