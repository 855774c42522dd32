/** Runs the tests of the API with every server as a node of a database of its own: `npm run test:postgres`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startPostgres } from './postgres.ts';

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
const postgres = await startPostgres();
try {
  const [folder = 'test/conformance', ...more] = process.argv.slice(2);
  const env = { ...process.env, IC_TEST_POSTGRES: postgres.url };
  const child = spawn(process.execPath, [vitest, 'run', folder, ...more], { env, stdio: 'inherit' });
  await once(child, 'exit');
  process.exitCode = child.exitCode ?? 1;
} finally {
  await postgres.remove();
}
