/** Cells of a spreadsheet as they come from the clipboard: rows of texts. */
import { type Cells, cellsOfText } from './cells.ts';
import type { Copied } from './copied.ts';

/** Cells of the table in the clipboard, or of its text with tabs. Empty rows at the end are left out. */
export function parseCells({ text, html }: Copied): Cells {
  const table =
    html === '' ? null : new DOMParser().parseFromString(html, 'text/html').querySelector('table');
  return withoutEmptyEnd(table === null ? cellsOfText(text) : cellsOfTable(table));
}

/** A cell over several places has its text in the first of them. */
function cellsOfTable(table: HTMLTableElement): Cells {
  // Places stay free until a cell takes them.
  const rows: (string | undefined)[][] = Array.from(table.rows, () => []);
  for (const [y, { cells }] of Array.from(table.rows).entries()) {
    let x = 0;
    for (const cell of cells) {
      while (rows[y]?.[x] !== undefined) x += 1;
      for (let down = 0; down < Math.max(1, cell.rowSpan); down++)
        for (let right = 0; right < cell.colSpan; right++) {
          const row = rows[y + down];
          if (row !== undefined) row[x + right] = down + right === 0 ? textOfCell(cell) : '';
        }
    }
  }
  return rows.map((row) => Array.from(row, (cell) => cell ?? ''));
}

/** Spreadsheets write line breaks as `br`; those of the source are spaces. */
function textOfCell(cell: HTMLTableCellElement): string {
  const parts = cell.innerHTML.split(/<br\b[^>]*>/i).map((part) => {
    const text = new DOMParser().parseFromString(part, 'text/html').body.textContent ?? '';
    return text.replace(/\s+/g, ' ').trim();
  });
  return parts.join('\n').trim();
}

function withoutEmptyEnd(rows: Cells): Cells {
  const last = rows.findLastIndex((row) => row.some((cell) => cell.trim() !== ''));
  return rows.slice(0, last + 1);
}
