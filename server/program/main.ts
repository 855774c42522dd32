/** The program `incipit`: reads the command line, runs one command, and answers with its exit code. */
import { readVersion } from '../config/build-info.ts';
import type { ExitCode } from '../features/folders/sync/model.ts';
import { readArguments } from './arguments.ts';
import type { ProgramCommand } from './command.ts';
import { type CommandOutcome, formatDocument, formatOutcome, nothing } from './output.ts';
import { ProgramError } from './program-error.ts';
import { formatHelp, type ProgramCommandName } from './usage.ts';

/** Each is loaded when it is run, so that none waits for the packages of another. */
const commands: Readonly<Record<ProgramCommandName, () => Promise<ProgramCommand>>> = {
  init: async () => (await import('./commands/init.ts')).runInit,
  dev: async () => (await import('./commands/dev.ts')).runDev,
  check: async () => (await import('./commands/check.ts')).runCheck,
  pull: async () => (await import('./commands/sync.ts')).runPull,
  push: async () => (await import('./commands/sync.ts')).runPush,
  diff: async () => (await import('./commands/sync.ts')).runDiff,
  types: async () => (await import('./commands/types.ts')).runTypes,
  lsp: async () => (await import('./commands/lsp.ts')).runLsp,
};

/** @param args without node and script */
export async function main(args: readonly string[]): Promise<ExitCode> {
  if (args.some((arg) => arg === '--help' || arg === '-h') || args[0] === 'help') {
    process.stdout.write(`${formatHelp()}\n`);
    return 0;
  }
  if (args[0] === '--version') {
    process.stdout.write(`${readVersion()}\n`);
    return 0;
  }
  const isJson = args.includes('--json');
  try {
    const given = readArguments(args, process.env, process.cwd());
    const run = await commands[given.command]();
    const result = await run(given);
    if (typeof result === 'number') return result;
    print(result, given.options.has('json'));
    return result.exitCode;
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    process.stderr.write(`incipit: ${error.message}\n`);
    if (isJson) process.stdout.write(`${formatDocument(nothing, error.message)}\n`);
    return error.exitCode;
  }
}

function print(outcome: CommandOutcome, isJson: boolean): void {
  const lines = isJson ? [formatDocument(outcome)] : formatOutcome(outcome, process.stdout);
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
}
