/** Work of the server that a thread could take, as functions of plain data. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import Database from 'better-sqlite3';
import { hashOfJson } from '../../server/features/batch/service.ts';
import { type CsvSlice, parseCsv } from '../../server/http/csv/parse.ts';
import { formatRows } from '../../server/http/csv/write.ts';
import { parseJson } from '../../server/http/json/json.ts';

export type ThreadTask =
  | { readonly kind: 'csv-parse'; readonly bytes: Uint8Array }
  | { readonly kind: 'csv-format'; readonly rows: CsvSlice }
  | { readonly kind: 'list'; readonly database: string; readonly limit: number }
  | { readonly kind: 'hash-json'; readonly value: unknown }
  | { readonly kind: 'hash-file'; readonly path: string }
  | { readonly kind: 'read-lines'; readonly lines: readonly string[] };

/** The parts of the result, as they come. */
export async function* runTask(task: ThreadTask): AsyncGenerator<unknown> {
  if (task.kind === 'csv-parse')
    yield* parseCsv({ bytes: task.bytes, delimiter: ',', maxRowCharacters: 65_536 });
  else if (task.kind === 'csv-format') yield new TextEncoder().encode(formatRows(task.rows, ','));
  else if (task.kind === 'list') yield list(task.database, task.limit);
  else if (task.kind === 'hash-json') yield await hashOfJson(task.value);
  else if (task.kind === 'hash-file') yield await hashFile(task.path);
  else yield task.lines.map((line) => parseJson(Buffer.from(line)));
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path, { highWaterMark: 256 * 2 ** 10 })) hash.update(part);
  return hash.digest('hex');
}

const connections = new Map<string, Database.Database>();

/** A page of entries as the API gives it. */
function list(path: string, limit: number): Uint8Array {
  const db = connections.get(path) ?? new Database(path, { readonly: true });
  connections.set(path, db);
  const rows = db.prepare<[number], { id: number; data: string }>('SELECT id, data FROM items LIMIT ?');
  const entries = rows.all(limit).map(({ id, data }) => ({ id, data: JSON.parse(data) }));
  return new TextEncoder().encode(JSON.stringify({ data: entries }));
}
