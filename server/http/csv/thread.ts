/** What a thread runs that parses one file. */
import { type StreamedTask, sendParts } from '../../base/thread-stream.ts';
import { type CsvTask, parseCsv } from './parse.ts';

export default function parseInThread({ input, port }: StreamedTask<CsvTask>): Promise<void> {
  return sendParts(port, parseCsv(input));
}
