import { pipeline, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import { apiError, invalid } from './errors.ts';
import { BodyBuilder, type BodyParts } from './http/body-parts.ts';

export type CsvCell = string | number;
export type CsvDelimiter = ',' | ';';

/** CSV with a byte order mark, as spreadsheets expect. Slice by slice; between two of them others get their turn. */
export async function slicedCsv(
  slices: AsyncIterable<readonly (readonly CsvCell[])[]>,
  delimiter: CsvDelimiter = ';',
): Promise<BodyParts> {
  const body = new BodyBuilder();
  body.add('\ufeff');
  for await (const rows of slices) {
    body.add(formatRows(rows, delimiter));
    await nextTurn();
  }
  return body.finish();
}

/**
 * Formats rows as CSV.
 *
 * A cell that a spreadsheet would run as a formula gets a leading `'`, because its text may come from
 * anonymous visitors. {@link unescapeCell} removes the `'`.
 */
export function formatRows(rows: readonly (readonly CsvCell[])[], delimiter: CsvDelimiter = ';'): string {
  const escaped = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? escapeCell(cell) : cell)));
  // Cells that contain another delimiter are quoted too. Otherwise a program that splits at it could find a
  // formula after one.
  return stringify(escaped, { delimiter, quoted_match: /[,;\t\r]/ });
}

/** Removes the `'` that {@link formatRows} has added. */
export function unescapeCell(cell: string): string {
  return /^'[=+\-@\t\r']/.test(cell) ? cell.slice(1) : cell;
}

/** Adds a `'` also to a cell that looks like an escaped cell, so that reading restores every cell exactly. */
function escapeCell(cell: string): string {
  return /^(?:[=+\-@\t\r]|'[=+\-@\t\r'])/.test(cell) ? `'${cell}` : cell;
}

export interface CsvFile {
  readonly delimiter: string;
  /** Cells of every line, the header first; empty lines have one empty cell. */
  readonly rows: readonly (readonly string[])[];
}

const chunkBytes = 8 * 1024;
const maxRowCharacters = 64 * 1024;
/** Characters at the beginning that decide which delimiter the file has. */
const maxHeader = 64 * 1024;

export interface CsvLimits {
  /** Without the header. */
  readonly maxRows: number;
  readonly maxRowCharacters?: number;
}

/**
 * Reads UTF-8 with or without byte order mark. The delimiter is the comma, semicolon or tab that occurs most
 * often in the first line. Works in small steps, so that the thread can serve other requests.
 *
 * @throws ApiError `common.invalid` for `file` when the bytes are not UTF-8, `csv.syntax`, `csv.tooManyRows`
 */
export async function readCsv(bytes: Uint8Array, limits: CsvLimits): Promise<CsvFile> {
  const { maxRows, maxRowCharacters: maxRow = maxRowCharacters } = limits;
  const delimiter = detectDelimiter(new TextDecoder().decode(bytes.subarray(0, maxHeader)));
  const parser = parse({ delimiter, relax_column_count: true, max_record_size: maxRow });
  // An error of either end reaches the loop below.
  pipeline(Readable.from(inChunks(bytes)), parser, () => {});
  const rows: string[][] = [];
  try {
    for await (const row of parser) {
      rows.push(row);
      if (rows.length > maxRows + 1) throw apiError('csv.tooManyRows', { max: maxRows });
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw apiError('csv.syntax', { row: rows.length + 1, reason: error.message });
  }
  return { delimiter, rows };
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

async function* inChunks(bytes: Uint8Array): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    yield decodeChunk(decoder, bytes.subarray(start, start + chunkBytes), start + chunkBytes < bytes.length);
    await nextTurn();
  }
}

/** @throws ApiError `common.invalid` for `file` when the bytes are not UTF-8 */
function decodeChunk(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw invalid('file', 'is not UTF-8 text');
  }
}
