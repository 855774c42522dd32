import { join } from 'node:path';
import { apiError, invalid } from '../../base/errors.ts';
import type { StreamInThread } from '../../base/thread-stream.ts';
import { type CsvFault, type CsvSlice, type CsvTask, parseCsv } from './parse.ts';

export interface CsvFile {
  readonly delimiter: string;
  /** Cells of every line, the header first; empty lines have one empty cell. */
  readonly rows: CsvSlice;
}

/** A file that is read slice by slice. */
export interface CsvSlices extends Pick<CsvFile, 'delimiter'> {
  readonly slices: AsyncIterable<CsvSlice>;
}

export interface CsvLimits {
  /** Without the header. */
  readonly maxRows: number;
  readonly maxRowCharacters?: number;
}

const defaultRowCharacters = 64 * 1024;
/** Characters at the beginning that decide which delimiter the file has. */
const maxHeader = 64 * 1024;
/** A file up to this size takes some milliseconds, less than the start of a thread. */
const maxBytesHere = 64 * 1024;

/**
 * Reads UTF-8 with or without byte order mark. The delimiter is the comma, semicolon or tab that occurs most
 * often in the first line. A file that is not small is parsed in a thread.
 *
 * @throws ApiError `common.invalid` for `file` when the bytes are not UTF-8, `csv.syntax`, `csv.tooManyRows`
 */
export async function readCsv(
  bytes: Uint8Array,
  limits: CsvLimits,
  stream: StreamInThread,
): Promise<CsvFile> {
  const { delimiter, slices } = openCsv(bytes, limits, stream);
  const rows: (readonly string[])[] = [];
  for await (const slice of slices) rows.push(...slice);
  return { delimiter, rows };
}

/**
 * Like {@link readCsv}, for callers that take the rows as they come. The errors come while the slices are read.
 *
 * @param bytes not to be used any more: a thread may have taken them
 */
export function openCsv(bytes: Uint8Array, limits: CsvLimits, stream: StreamInThread): CsvSlices {
  const { maxRows, maxRowCharacters = defaultRowCharacters } = limits;
  const delimiter = detectDelimiter(new TextDecoder().decode(bytes.subarray(0, maxHeader)));
  const task = { bytes, delimiter, maxRowCharacters };
  const parsed = bytes.length <= maxBytesHere ? parseCsv(task) : parseInThread(task, stream);
  return { delimiter, slices: checked(parsed, maxRows) };
}

async function* checked(
  parsed: AsyncIterable<CsvSlice | CsvFault>,
  maxRows: number,
): AsyncGenerator<CsvSlice> {
  let rows = 0;
  for await (const slice of parsed) {
    if ('kind' in slice) {
      if (slice.kind === 'not-utf8') throw invalid('file', slice.reason);
      throw apiError('csv.syntax', { row: slice.row, reason: slice.reason });
    }
    rows += slice.length;
    if (rows > maxRows + 1) throw apiError('csv.tooManyRows', { max: maxRows });
    yield slice;
  }
}

/**
 * A thread and not a process of a pool, because slices of the result come one by one. What a file can make the parser
 * allocate is bounded by its size.
 */
function parseInThread(task: CsvTask, stream: StreamInThread): AsyncGenerator<CsvSlice | CsvFault> {
  // The whole buffer is handed over, so it must not belong to others too.
  const isOwn = task.bytes.byteLength === task.bytes.buffer.byteLength;
  const bytes = isOwn ? task.bytes : new Uint8Array(task.bytes);
  return stream({
    filename: join(import.meta.dirname, 'thread.ts'),
    input: { ...task, bytes },
    transfer: bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [],
  });
}

function detectDelimiter(text: string): string {
  const counts = new Map([
    [',', 0],
    [';', 0],
    ['\t', 0],
  ]);
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    if (quoted) continue;
    if (character === '\n' || character === '\r') break;
    const count = counts.get(character);
    if (count !== undefined) counts.set(character, count + 1);
  }
  const [best] = [...counts].sort(([, left], [, right]) => right - left);
  return best?.[0] ?? ',';
}
