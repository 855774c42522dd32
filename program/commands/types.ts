/** `incipit types`: TypeScript for the entries of `/data`. */
import { rename, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Arguments } from '../arguments.ts';
import { Remote } from '../remote.ts';
import { toTypedCollections } from '../types/collections.ts';
import { writeTypes } from '../types/write.ts';

export async function runTypes(given: Arguments): Promise<0> {
  const text = writeTypes(toTypedCollections(await readCollections(given)));
  const out = given.options.text('out');
  if (out === undefined) process.stdout.write(text);
  else await writeWhole(resolve(out), text);
  return 0;
}

async function readCollections({ options }: Arguments): Promise<readonly unknown[]> {
  const url = options.text('remote') ?? '';
  const remote = await Remote.open({ url, token: options.token });
  const schema = await remote.get('/schema');
  const list =
    typeof schema === 'object' && schema !== null && 'collections' in schema ? schema.collections : [];
  return Array.isArray(list) ? list : [];
}

/** A build that reads the file meanwhile never sees a part of it. */
async function writeWhole(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, text);
  await rename(temporary, file);
}
