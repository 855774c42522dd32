/** Objects that are copied or deleted at the same time. */
const parallel = 8;

/** Does the work for all items, some at the same time. @throws the first error, when all that run have ended */
export async function inParallel<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = shared(items);
  let failed = false;
  const worker = async (): Promise<void> => {
    for await (const item of queue) {
      if (failed) return;
      await work(item).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: parallel }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Several loops over this take turns: each item comes once. */
async function* shared<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  yield* items;
}
