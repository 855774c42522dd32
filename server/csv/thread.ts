/** Entry of a thread that parses one file: sends a slice each time it is asked, and `undefined` at the end. */
import { parentPort, workerData } from 'node:worker_threads';
import { type CsvTask, parseCsv } from './parse.ts';

// Type boundary: `read.ts` starts this thread with a task.
const slices = parseCsv(workerData as CsvTask);

parentPort?.on('message', async () => {
  const { value } = await slices.next();
  parentPort?.postMessage(value);
});
