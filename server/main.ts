/** The command line: serves, or does the one thing an option asks for. Ends with 1 and one line when it cannot. */
// First of all: in a bundle the library would be loaded before its limits are set.
import './http/uws-limits.ts';
import { pathToFileURL } from 'node:url';
import { helpText, readConfig } from './config.ts';
import { currentBundle, sources } from './startup/bundle.ts';
import { isStartupError } from './startup-error.ts';

async function main(): Promise<void> {
  // Everything else is loaded when it is clear what is wanted: a wrong option is answered at once.
  const config = readConfig(process.argv.slice(2), process.env);
  if (config.help) {
    process.stdout.write(`${helpText()}\n`);
    return;
  }
  const entry = currentBundle() ?? sources();
  const commands: typeof import('./commands.ts') = await import(pathToFileURL(entry.server).href);
  if (config.createToken !== undefined) await commands.createToken(config, config.createToken);
  else await commands.serve(config, entry.worker);
}

main().catch((error: unknown) => {
  process.stderr.write(`${isStartupError(error) ? `incipit: ${error.message}` : describe(error)}\n`);
  process.exit(1);
});

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
