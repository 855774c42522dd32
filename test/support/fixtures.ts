import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The cases in a folder of fixtures as `construct/case`. Each construct is a folder with one folder for each case. */
export function fixtureCases(folder: string): string[] {
  const folders = (path: string) =>
    readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  return folders(folder).flatMap((construct) =>
    folders(join(folder, construct)).map((name) => `${construct}/${name}`),
  );
}
