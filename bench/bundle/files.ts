import { randomFillSync } from 'node:crypto';

const mb = 2 ** 20;
/** Sizes of files in MB that take turns: large ones beside many of an ordinary size. */
const sizes = [128, 1, 1, 1, 1, 1, 1, 1, 1, 8];

/** Files of no known type, of random bytes, of so many MB in all. One is made at a time. */
export function* filesOf(megabytes: number): Generator<{ readonly name: string; readonly bytes: Buffer }> {
  let left = megabytes;
  for (let number = 0; left > 0; number++) {
    const size = Math.min(left, sizes[number % sizes.length] ?? 1);
    left -= size;
    yield { name: `file-${number}.bin`, bytes: randomFillSync(Buffer.allocUnsafe(size * mb)) };
  }
}
