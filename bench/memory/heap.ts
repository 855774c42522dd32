/** Heap in use after everything unreachable is gone. @throws Error without `--expose-gc` */
export function heapBytes(): number {
  const collect = globalThis.gc;
  if (collect === undefined) throw new Error('this process needs --expose-gc');
  // What a first collection finalizes is freed by the second.
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
