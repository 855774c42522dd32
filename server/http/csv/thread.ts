/** Entry of a thread that parses one file: sends a slice each time it is asked, and `undefined` at the end. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type CsvTask, parseCsv } from './parse.ts';

// On Linux of this thread alone: visitors' requests come first. Elsewhere it would be the whole server's priority.
if (process.platform === 'linux') setPriority(10);

// Type boundary: `read.ts` starts this thread with a task.
const slices = parseCsv(workerData as CsvTask);

parentPort?.on('message', async () => {
  const { value } = await slices.next();
  parentPort?.postMessage(value);
});
