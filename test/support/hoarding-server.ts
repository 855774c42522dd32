/** The server with `hoarding-worker.ts` as its render process. */
import { fileURLToPath } from 'node:url';
import { serve } from '../../server/commands.ts';
import { sources } from '../../server/config/build/program-files.ts';
import { readConfig } from '../../server/config/config.ts';

const worker = fileURLToPath(new URL('hoarding-worker.ts', import.meta.url));
await serve(readConfig(process.argv.slice(2), process.env), { ...sources(), worker });
