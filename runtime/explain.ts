/** The command `npm run --silent explain -- [options] <template>`. */
import { explain } from './explain/command.ts';

// The program that reads the output may close it early, as `| head` does.
process.stdout.on('error', () => process.exit());
process.exitCode = explain(process.argv.slice(2), process);
