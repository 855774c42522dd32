/** Runs `pull` or `push` in a process of its own, which a test can kill: command, folder, address, token. */
import { pull } from '../../server/features/folders/sync/pull.ts';
import { push } from '../../server/features/folders/sync/push.ts';

const [, , command, folder = '', remote, token] = process.argv;
const run = command === 'pull' ? pull : push;
process.stdout.write(JSON.stringify(await run({ folder, remote, token })));
