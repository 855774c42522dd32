/** Heap in use after garbage collection, bytes. @throws Error without `--expose-gc` */
export function heapBytes(): number {
  const collect = globalThis.gc;
  if (collect === undefined) throw new Error('this process needs --expose-gc');
  // The second collection frees the objects that the first one finalized.
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
