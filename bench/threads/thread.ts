/** Does tasks in a thread, one after the other. Each part of a result is posted when it is asked for. */
import { once } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { runTask, type ThreadTask } from './tasks.ts';

const port = parentPort;
if (port === null) throw new Error('this is the code of a thread');

for (;;) {
  // Type boundary: `index.ts` sends tasks.
  const [task] = (await once(port, 'message')) as [ThreadTask];
  for await (const part of runTask(task)) {
    port.postMessage({ part }, part instanceof Uint8Array ? [part.buffer as ArrayBuffer] : []);
    await once(port, 'message');
  }
  port.postMessage('end');
}
