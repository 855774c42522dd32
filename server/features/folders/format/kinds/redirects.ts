/** Redirects: `redirects.csv` with the columns source, target, status and auto. */
import { compareText, type FolderObject } from '../content.ts';
import { parseFile, type SourceFiles } from '../source-files.ts';
import { TextFault } from '../text-fault.ts';
import type { KindFormat } from './kind-format.ts';

const redirectsFile = 'redirects.csv';
const columns = ['source', 'target', 'status', 'auto'] as const;

export function toRedirectKey(source: string): string {
  return `${redirectsFile}#${source}`;
}

export const redirectFormat: KindFormat = {
  kind: 'redirect',
  read(files) {
    const rows = parseFile(files, redirectsFile, parseRows) ?? [];
    const [header, ...others] = rows;
    if (header === undefined) return [];
    if (columns.some((name, index) => header.cells[index] !== name)) {
      files.report({
        file: redirectsFile,
        code: 'folder.csvHeader',
        message: `The first line must be ${columns.join(',')}.`,
      });
      return [];
    }
    const known = new Map<string, FolderObject>();
    for (const row of others) {
      const read = readRow(files, row);
      if (read === undefined) continue;
      if (known.has(read.key))
        files.report({
          file: redirectsFile,
          line: row.line,
          code: 'folder.twice',
          message: `${String(read.fields['source'])} stands twice. Delete one of the lines.`,
        });
      else known.set(read.key, read);
    }
    return [...known.values()];
  },
  write(_objects, files, { objects }) {
    const all = [...objects.values()].filter(({ kind }) => kind === 'redirect');
    if (all.length === 0) return;
    const lines = all
      .toSorted((left, right) => compareText(left.key, right.key))
      .map(({ fields: { source, target, status, auto } }) =>
        [String(source), String(target), String(status), auto === true ? '1' : '0'].map(quote).join(','),
      );
    files.set(redirectsFile, `${[columns.join(','), ...lines].join('\n')}\n`);
  },
};

interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

function readRow(files: SourceFiles, { line, cells }: CsvRow): FolderObject | undefined {
  const [source = '', target = '', status = '', auto = ''] = cells;
  const problem = findProblem(cells);
  if (problem !== undefined) {
    files.report({ file: redirectsFile, line, code: 'folder.csvRow', message: problem });
    return undefined;
  }
  return {
    kind: 'redirect',
    key: toRedirectKey(source),
    fields: { source, target, status: Number(status || '301'), auto: auto === '1' || auto === 'true' },
    files: [redirectsFile],
    places: { source: { file: redirectsFile, line, column: 1 } },
  };
}

function findProblem([source = '', target = '', status = '', auto = '', ...rest]: readonly string[]) {
  if (rest.length > 0) return 'The line has more than four cells. Put cells with commas in quotes.';
  if (!source.startsWith('/')) return 'The source must be a path that begins with "/".';
  if (target === '') return 'The target is missing.';
  if (!['', '301', '302'].includes(status)) return 'The status must be 301 or 302.';
  if (!['', '0', '1', 'false', 'true'].includes(auto)) return 'auto must be 1 or 0.';
  return undefined;
}

function quote(cell: string): string {
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** @throws TextFault for a quote that does not end */
function parseRows(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/y;
  let line = 1;
  let cells: string[] = [];
  while (cell.lastIndex < text.length) {
    const start = cell.lastIndex;
    const match = cell.exec(text);
    if (match === null) throw new TextFault('A quote does not end, or has text after it.', line, 1);
    const [whole, quoted, plain = '', end] = match;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') {
      if (start + whole.length === text.length) cells.push('');
      else continue;
    }
    if (cells.length > 1 || cells[0] !== '') rows.push({ line, cells });
    cells = [];
    line += whole.split('\n').length - 1;
  }
  if (cells.length > 0) rows.push({ line, cells });
  return rows;
}
