/** `incipit init`: a new website in an empty folder. */
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { select } from '@inquirer/prompts';
import { defaultStarter, findStarter, starters } from '../../features/folders/starters.ts';
import { type ProgramArguments, wrongUse } from '../arguments.ts';
import type { CommandResult } from '../command.ts';
import { nothing } from '../output.ts';

/** What a folder may have that counts as empty. */
const allowed = /^(?:\.git|(?:readme|licen[cs]e)(?:\.\w+)?)$/i;

/** `.incipit/` has what this machine knows of servers. */
const gitFiles = {
  '.gitignore': '.incipit/\n',
  '.gitattributes': '* text=auto eol=lf\n',
} as const;

export async function runInit({ folder, options }: ProgramArguments): Promise<CommandResult> {
  const given = options.text('starter');
  if (given !== undefined && findStarter(given) === undefined)
    throw wrongUse(`there is no starter "${given}", only ${starters.map(({ name }) => name).join(', ')}`);
  await refuseUsed(folder);
  const name = given ?? (await askStarter());
  const starter = findStarter(name);
  if (starter === undefined) throw wrongUse(`there is no starter "${name}"`);
  await mkdir(folder, { recursive: true });
  await cp(starter.folder, folder, { recursive: true, force: false });
  for (const [file, text] of Object.entries(gitFiles))
    await writeFile(join(folder, file), text, { flag: 'wx' });
  const files = [...Object.keys(gitFiles), ...(await listFiles(starter.folder))].sort();
  const changes = files.map((file) => ({ file, op: 'create' as const, fields: [] }));
  const message = `Made the website "${name}" in ${folder}. Show it: incipit dev ${JSON.stringify(folder)}`;
  return { ...nothing, changes, message, exitCode: 0 };
}

/** @throws ProgramError with the exit code 2 */
async function refuseUsed(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw wrongUse(`${folder} is no folder that can be read`);
  });
  const used = names.find((name) => !allowed.test(name));
  if (used !== undefined) throw wrongUse(`${folder} is not empty: it has ${used}. Name a new folder`);
}

async function askStarter(): Promise<string> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return defaultStarter;
  return select({
    message: 'What do you want to begin with?',
    choices: starters.map(({ name, about }) => ({ value: name, name: `${name}: ${about}` })),
  });
}

/** Paths of the files of a starter. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'));
}
