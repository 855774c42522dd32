/** `incipit types`: TypeScript for the entries of `/data`. */
import { rename, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readFolder } from '../../features/folders/format/index.ts';
import type { ProgramArguments } from '../arguments.ts';
import { formatFinding } from '../output.ts';
import { ProgramError } from '../program-error.ts';
import { Remote } from '../remote.ts';
import { toTypedCollections } from '../types/collections.ts';
import { writeTypes } from '../types/write.ts';

export async function runTypes(given: ProgramArguments): Promise<0> {
  const text = writeTypes(toTypedCollections(await readCollections(given)));
  const out = given.options.text('out');
  if (out === undefined) process.stdout.write(text);
  else await writeWhole(resolve(out), text);
  return 0;
}

async function readCollections({ folder, options }: ProgramArguments): Promise<readonly unknown[]> {
  const url = options.text('remote');
  if (url === undefined) return readFolderCollections(folder);
  const remote = await Remote.open({ url, token: options.token });
  const schema = await remote.get('/schema');
  const list =
    typeof schema === 'object' && schema !== null && 'collections' in schema ? schema.collections : [];
  return Array.isArray(list) ? list : [];
}

/** @throws ProgramError with the exit code 1 if a definition cannot be read, because its types would be missing */
async function readFolderCollections(folder: string): Promise<readonly unknown[]> {
  const { content, findings } = await readFolder(folder);
  const wrong = findings.filter(
    ({ level, file }) => level === 'error' && (file === 'site.json' || file.endsWith('/collection.json')),
  );
  const lines = wrong.map((finding) => formatFinding(finding, process.stderr));
  if (lines.length > 0) throw new ProgramError(1, `the folder has errors\n${lines.join('\n')}`);
  return [...content.objects.values()]
    .filter(({ kind }) => kind === 'collection')
    .map(({ fields }) => fields);
}

/** A build that reads the file meanwhile never sees a part of it. */
async function writeWhole(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, text);
  await rename(temporary, file);
}
