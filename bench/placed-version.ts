import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';

export const repository = join(import.meta.dirname, '..');

/** Puts a commit into the folder, ready to run. Returns its short name. */
export function placeVersion(name: string, folder: string): string {
  const git = (...command: readonly string[]) =>
    execFileSync('git', ['-C', repository, ...command], { maxBuffer: 512 * 1024 * 1024 });
  const commit = git('rev-parse', '--short', '--verify', `${name}^{commit}`).toString().trim();
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit) });
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  runScript(folder, 'grammar/build.ts');
  return commit;
}

/** Builds the server of a folder. One that runs from its sources starts and works slower, which no ratio tells. */
export function buildServer(folder: string): void {
  runScript(folder, 'server/config/build/build.ts');
}

function runScript(folder: string, script: string): void {
  execFileSync(process.execPath, [join(folder, script)], { cwd: folder, stdio: 'ignore' });
}
