import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCsv, readCsv, unescapeCell } from '../../server/csv.ts';

const cell = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', "'", "'=", "''"), fc.string())
    .map((parts) => parts.join('')),
);

const header = ['Von', 'Nach', 'Status'];

describe('CSV', () => {
  it('is read from a file exactly as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell)), async (rows) => {
        const wellFormed = rows.map((row) => row.map((text) => text.toWellFormed()));
        const text = formatCsv([['Von', 'Nach'], ...wellFormed]);
        const read = await readCsv(Buffer.from(text), 1000);
        expect(read.delimiter).toBe(';');
        expect(read.rows.slice(1).map((row) => row.map(unescapeCell))).toEqual(wellFormed);
      }),
    );
  });

  it('quotes cells that contain a formula after a comma', () => {
    expect(formatCsv([['a,=b', 'c\t+d', 'e']])).toBe('\ufeff"a,=b";"c\t+d";e\n');
  });

  it('contains no cell that a spreadsheet reads as a formula', async () => {
    await fc.assert(
      fc.asyncProperty(cell, async (text) => {
        const read = await readCsv(Buffer.from(formatCsv([header, ['/a', text.toWellFormed()]])), 10);
        expect(read.rows[1]?.[1]).not.toMatch(/^[=+\-@\t\r]/);
      }),
    );
  });

  it('is read up to the limit of rows', async () => {
    const file = (rows: number) => Buffer.from(`Von,Nach\n${'/a,/b\n'.repeat(rows)}`);
    expect((await readCsv(file(10), 10)).rows).toHaveLength(11);
    await expect(readCsv(file(11), 10)).rejects.toMatchObject({
      code: 'csv.tooManyRows',
      params: { max: 10 },
    });
  });
});
