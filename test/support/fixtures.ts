import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

/** The templates in the folder `templates` of a case, by name. */
export function readTemplates(folder: string): Readonly<Record<string, string>> {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.html'),
  );
  return Object.fromEntries(files.map((file) => [file.replace(/\.html$/, ''), readText(join(folder, file))]));
}

/** A file of a case without the newline at its end. */
export function readText(path: string): string {
  return readFileSync(path, 'utf8').replace(/\n$/, '');
}
