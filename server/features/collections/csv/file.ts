import type { Form } from '../../../api/multipart/multipart.ts';
import { apiError, invalid } from '../../../base/errors.ts';
import type { StreamInThread } from '../../../base/thread-stream.ts';
import { openCsv } from '../../../http/csv/read.ts';
import { unescapeCell } from '../../../http/csv/write.ts';

/** Limits of imports (Data, Automation and Operations, "Limits"). */
export const maxFileBytes = 32 * 2 ** 20;
const maxRows = 50_000;
const maxRowCharacters = 8 * 2 ** 20;
const maxColumns = 1000;
const samplesPerColumn = 5;
const maxSampleLength = 200;

/** A row that is not empty, with its place in the file: the header is row 1, empty lines count. */
export interface EntryRow {
  readonly row: number;
  readonly cells: readonly string[];
}

/** A file with entries. */
export interface EntryFile {
  readonly delimiter: string;
  readonly columns: readonly string[];
  readonly rows: readonly EntryRow[];
}

/** @throws ApiError `common.invalid`, `csv.syntax`, `csv.tooManyRows` */
export async function readEntryFile(form: Form, stream: StreamInThread): Promise<EntryFile> {
  const file = form.files.find(({ field }) => field === 'file');
  if (file === undefined) throw invalid('file', 'is required');
  if (file.bytes.length > maxFileBytes) throw apiError('common.tooLarge', { max: maxFileBytes });
  const { delimiter, slices } = openCsv(file.bytes, { maxRows, maxRowCharacters }, stream);
  let columns: readonly string[] | undefined;
  const rows: EntryRow[] = [];
  let row = 0;
  for await (const slice of slices) {
    for (const cells of slice) {
      row++;
      if (columns === undefined) columns = columnsIn(cells);
      else if (cells.some((cell) => cell.trim() !== '')) rows.push({ row, cells });
    }
  }
  return { delimiter, columns: columns ?? columnsIn([]), rows };
}

/** @throws ApiError `common.invalid` */
function columnsIn(header: readonly string[]): string[] {
  if (header.every((cell) => cell.trim() === '')) throw invalid('file', 'has no header row');
  if (header.length > maxColumns) throw invalid('file', `must have at most ${maxColumns} columns`);
  return header.map((cell) => unescapeCell(cell.trim()));
}

/** The columns with their first values. */
export function listCsvColumns({ columns, rows }: EntryFile): { name: string; samples: string[] }[] {
  return columns.map((name, column) => {
    const samples: string[] = [];
    for (const { cells } of rows.slice(0, 1000)) {
      if (samples.length === samplesPerColumn) break;
      const cell = readFileCell(cells, column);
      if (cell.trim() !== '') samples.push(cell.slice(0, maxSampleLength));
    }
    return { name, samples };
  });
}

/** The text of a cell; empty for one that the row does not have. */
export function readFileCell(cells: readonly string[], column: number): string {
  return unescapeCell(cells[column] ?? '');
}
