/** `incipit pull`, `push` and `diff`: between a folder and a server. */
import { confirm } from '@inquirer/prompts';
import { diff } from '../../features/folders/sync/diff.ts';
import type { FolderChange, SyncOptions, SyncOutcome } from '../../features/folders/sync/model.ts';
import { pull } from '../../features/folders/sync/pull.ts';
import { push } from '../../features/folders/sync/push.ts';
import type { ProgramArguments } from '../arguments.ts';
import { formatOutcome, nothing } from '../output.ts';
import { showProgress } from '../progress.ts';

export function runPull(given: ProgramArguments): Promise<SyncOutcome> {
  const { options } = given;
  const [mark, noPrivate] = [options.has('mark'), options.has('no-private')];
  return withProgress(given, (common) => pull({ ...common, mark, noPrivate }));
}

export function runPush(given: ProgramArguments): Promise<SyncOutcome> {
  const { options } = given;
  const isAsked = process.stdin.isTTY && process.stdout.isTTY && !options.has('json');
  return withProgress(given, (common) =>
    push({
      ...common,
      release: options.text('release'),
      yes: options.has('yes'),
      force: options.has('force'),
      ...(isAsked ? { confirm: askToDelete } : {}),
    }),
  );
}

export function runDiff(given: ProgramArguments): Promise<SyncOutcome> {
  return withProgress(given, diff);
}

async function withProgress(
  { folder, options }: ProgramArguments,
  run: (options: SyncOptions) => Promise<SyncOutcome>,
): Promise<SyncOutcome> {
  const progress = showProgress(process.stderr);
  try {
    return await run({
      folder,
      remote: options.text('remote'),
      token: options.token,
      site: options.text('site'),
      onProgress: progress.show,
    });
  } finally {
    progress.end();
  }
}

async function askToDelete(deletions: readonly FolderChange[]): Promise<boolean> {
  const lines = formatOutcome({ ...nothing, changes: deletions }, process.stdout);
  process.stdout.write(`${lines.join('\n')}\n`);
  return confirm({ message: `Delete ${deletions.length} on the server?`, default: false });
}
