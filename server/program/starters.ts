/** The websites with which `incipit init` begins, each a folder in the format. */
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'starters');

export interface Starter {
  readonly name: string;
  readonly about: string;
  /** Absolute path. */
  readonly folder: string;
}

export const defaultStarter = 'blank';

export const starters: readonly Starter[] = [
  { name: 'blank', about: 'a page, a layout, dark and light', folder: join(folder, 'blank') },
];

export function findStarter(name: string): Starter | undefined {
  return starters.find((starter) => starter.name === name);
}
