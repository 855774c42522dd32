/** Parses CSV. Runs in the main thread for small files, else in a thread of its own (`thread.ts`). */
import { pipeline, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';

export interface CsvTask {
  readonly bytes: Uint8Array;
  readonly delimiter: string;
  /** Longest row. */
  readonly maxRowCharacters: number;
}

/** Cells of some lines; empty lines have one empty cell. */
export type CsvSlice = readonly (readonly string[])[];

/** Why a file cannot be read. */
export type CsvFault =
  | { readonly kind: 'not-utf8'; readonly reason: string }
  /** `row` counts from 1. */
  | { readonly kind: 'syntax'; readonly row: number; readonly reason: string };

/** Taking over a slice of this size from another thread takes about half a millisecond. */
const sliceRows = 200;
const sliceCharacters = 32 * 1024;
const chunkBytes = 8 * 1024;

/** The lines of a file in slices; the last value is the fault that ends it, if there is one. */
export async function* parseCsv(task: CsvTask): AsyncGenerator<CsvSlice | CsvFault> {
  const { bytes, delimiter, maxRowCharacters } = task;
  const parser = parse({ delimiter, relax_column_count: true, max_record_size: maxRowCharacters });
  // An error of either end reaches the loop below.
  pipeline(Readable.from(inChunks(bytes)), parser, () => {});
  let slice: string[][] = [];
  let characters = 0;
  try {
    for await (const row of parser) {
      slice.push(row);
      for (const cell of row) characters += cell.length;
      if (slice.length < sliceRows && characters < sliceCharacters) continue;
      yield slice;
      slice = [];
      characters = 0;
    }
    if (slice.length > 0) yield slice;
  } catch (error) {
    if (error instanceof NotUtf8) yield { kind: 'not-utf8', reason: error.message };
    else if (error instanceof CsvError) yield { kind: 'syntax', row: rowOf(error), reason: error.message };
    else throw error;
  }
}

/** The parser counts the rows before the fault; some of them are lost with it. */
function rowOf(error: CsvError): number {
  return Number(Reflect.get(error, 'records')) + 1;
}

class NotUtf8 extends Error {}

async function* inChunks(bytes: Uint8Array): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    yield decodeChunk(decoder, bytes.subarray(start, start + chunkBytes), start + chunkBytes < bytes.length);
    await nextTurn();
  }
}

/** @throws NotUtf8 */
function decodeChunk(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw new NotUtf8('is not UTF-8 text');
  }
}
