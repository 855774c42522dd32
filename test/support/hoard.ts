/**
 * Ways to allocate memory without end, by name. Those marked `native` allocate inside one call, where no
 * JavaScript runs that could be interrupted.
 */
const hoards: Readonly<Record<string, (held: unknown[]) => void>> = {
  objects(held) {
    for (;;) held.push({ a: 1, b: [1, 2, 3] });
  },
  strings(held) {
    for (let number = 0; ; number++) held.push(`${'x'.repeat(1000)}${number}\u00e4`);
  },
  map() {
    const map = new Map<number, object>();
    for (let number = 0; ; number++) map.set(number, {});
  },
  keys() {
    const object: Record<string, number> = {};
    for (let number = 0; ; number++) object[`k${number}`] = number;
  },
  buffers(held) {
    for (;;) held.push(new Uint8Array(2 ** 24).fill(1));
  },
  'native fill'(held) {
    held.push(new Array(2 ** 32 - 2).fill(0));
  },
  'native split'(held) {
    held.push('x'.repeat(2 ** 28).split(''));
  },
  'native join'(held) {
    held.push(new Array(2 ** 26).fill('aaaaaaaa').join('-'));
  },
  'native JSON'(held) {
    held.push(JSON.parse(`[${'{"a":1},'.repeat(2 ** 25)}1]`));
  },
  'native match'(held) {
    held.push('ab'.repeat(2 ** 27).match(/(a)(b)/g));
  },
};

export const hoardNames: readonly string[] = Object.keys(hoards);

/** Allocates without end if `name` is a name of the table. */
export function hoard(name: string): void {
  hoards[name]?.([]);
}
