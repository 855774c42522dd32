import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import { apiError, invalid } from './errors.ts';
import { BodyBuilder, type BodyParts } from './http/body-parts.ts';

export type CsvCell = string | number;

/** CSV with a byte order mark, as spreadsheets expect. Slice by slice; between two of them others get their turn. */
export async function slicedCsv(slices: AsyncIterable<readonly (readonly CsvCell[])[]>): Promise<BodyParts> {
  const body = new BodyBuilder();
  body.add('\ufeff');
  for await (const rows of slices) {
    body.add(formatRows(rows));
    await nextTurn();
  }
  return body.finish();
}

/**
 * Formats rows as CSV with semicolons.
 *
 * A cell that a spreadsheet would run as a formula gets a leading `'`, because its text may come from
 * anonymous visitors. {@link unescapeCell} removes the `'`.
 */
export function formatRows(rows: readonly (readonly CsvCell[])[]): string {
  const escaped = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? escapeCell(cell) : cell)));
  // Cells that contain a comma or a tab are quoted too. Otherwise a program that splits at commas or tabs
  // could find a formula after one.
  return stringify(escaped, { delimiter: ';', quoted_match: /[,\t]/ });
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

const chunkCharacters = 8 * 1024;
const maxRowCharacters = 64 * 1024;

/**
 * Reads UTF-8 with or without byte order mark. The delimiter is the comma, semicolon or tab that occurs most
 * often in the first line. Works in small steps, so that the thread can serve other requests.
 *
 * @throws ApiError `common.invalid` for `file` when the bytes are not UTF-8, `csv.syntax`, `csv.tooManyRows`
 */
export async function readCsv(bytes: Uint8Array, maxRows: number): Promise<CsvFile> {
  const text = decodeUtf8(bytes);
  const delimiter = detectDelimiter(text);
  const parser = Readable.from(inChunks(text)).pipe(
    parse({ delimiter, relax_column_count: true, max_record_size: maxRowCharacters }),
  );
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

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('file', 'is not UTF-8 text');
  }
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

async function* inChunks(text: string): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += chunkCharacters) {
    yield text.slice(start, start + chunkCharacters);
    await nextTurn();
  }
}
