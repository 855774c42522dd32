/** The websites with which `incipit init` and the first run of the admin begin, each a folder in the format. */
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
  describeStarter('blank', 'a page, a layout, dark and light'),
  describeStarter('magazine', 'sections, articles, authors and topics in two languages, a contact form'),
  describeStarter('company', 'pages of blocks, services, projects, people, a contact form'),
  describeStarter('documentation', 'a manual in Markdown with navigation, and a list of releases'),
];

function describeStarter(name: string, about: string): Starter {
  return { name, about, folder: join(folder, name) };
}

export function findStarter(name: string): Starter | undefined {
  return starters.find((starter) => starter.name === name);
}
