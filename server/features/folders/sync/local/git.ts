/** What git knows of a folder. A folder without git, and a machine without it, are no error. */
import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

async function git(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  try {
    const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 64 * 2 ** 20 };
    return (await run('git', [...args], options)).stdout;
  } catch {
    return undefined;
  }
}

/** The commit that the folder is at; undefined if files of it differ from that commit. */
export async function findCleanCommit(folder: string): Promise<string | undefined> {
  const status = await git(folder, ['status', '--porcelain', '--untracked-files=all', '--', '.']);
  if (status === undefined || status.trim() !== '') return undefined;
  return (await git(folder, ['rev-parse', 'HEAD']))?.trim();
}

/** Writes the folder as it was at a commit; false if git does not have it. */
export async function checkOut(folder: string, commit: string, target: string): Promise<boolean> {
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return false;
  const prefix = (await git(folder, ['rev-parse', '--show-prefix']))?.trim();
  const top = (await git(folder, ['rev-parse', '--show-toplevel']))?.trim();
  if (prefix === undefined || top === undefined) return false;
  await mkdir(target, { recursive: true });
  const index = join(target, '.incipit-index');
  const env = { GIT_INDEX_FILE: index };
  const tree = prefix === '' ? commit : `${commit}:${prefix.replace(/\/$/, '')}`;
  const isRead = (await git(top, ['read-tree', tree], env)) !== undefined;
  const isWritten =
    isRead && (await git(top, ['checkout-index', '--all', `--prefix=${target}/`], env)) !== undefined;
  await rm(index, { force: true });
  return isWritten;
}
