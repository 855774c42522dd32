/**
 * The command line: starts the server, or runs the one command that an option names. A `StartupError` is
 * printed as one line; the exit code is then 1.
 */
import { pathToFileURL } from 'node:url';
import { isStartupError } from './base/startup-error.ts';
import type { EntryFiles } from './config/build/program-files.ts';
import { readConfig } from './config/config.ts';
import { helpText } from './config/help.ts';

/** @param entry paths of the code to run */
export async function main(entry: EntryFiles): Promise<void> {
  try {
    await runCommandLine(entry);
  } catch (error) {
    process.stderr.write(`${isStartupError(error) ? `incipit: ${error.message}` : describe(error)}\n`);
    process.exit(1);
  }
}

async function runCommandLine(entry: EntryFiles): Promise<void> {
  // The other code is loaded after the options are read, so that a wrong option is reported at once.
  const config = readConfig(process.argv.slice(2), process.env);
  if (config.help) {
    process.stdout.write(`${helpText()}\n`);
    return;
  }
  const commands: typeof import('./commands.ts') = await import(pathToFileURL(entry.server).href);
  if (config.command === undefined) await commands.serve(config, entry);
  else await commands.run(config, config.command);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
