import { open } from 'node:fs/promises';
import { TimeSlices } from '../../../base/timers.ts';

/** Characters that are written at once. */
const charactersPerWrite = 256 * 2 ** 10;

/** Writes values into a new file, each as a line of JSON, in slices. */
export async function writeLines(path: string, values: Iterable<object>): Promise<void> {
  const slices = new TimeSlices();
  const file = await open(path, 'wx', 0o600);
  try {
    let text = '';
    for (const value of values) {
      text += `${JSON.stringify(value)}\n`;
      if (text.length >= charactersPerWrite) {
        await file.writeFile(text);
        text = '';
      }
      await slices.next();
    }
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}
