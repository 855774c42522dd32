import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type CsvFile, type CsvLimits, readCsv as readCsvWith } from '../../server/http/csv/read.ts';
import { type CsvCell, formatRows, slicedCsv, unescapeCell } from '../../server/http/csv/write.ts';
import { Threads } from '../../server/processes/threads.ts';

const threads = new Threads();
afterAll(() => threads.close());

function readCsv(bytes: Uint8Array, limits: CsvLimits): Promise<CsvFile> {
  return readCsvWith(bytes, limits, (work) => threads.stream(work));
}

const cell = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', "'", "'=", "''"), fc.string())
    .map((parts) => parts.join('')),
);

const header = ['Von', 'Nach', 'Status'];

async function fileOf(...slices: readonly (readonly (readonly CsvCell[])[])[]): Promise<Uint8Array> {
  const body = await slicedCsv(Readable.from(slices));
  return body.joined();
}

describe('CSV', () => {
  it('is read from a file exactly as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell)), async (rows) => {
        const wellFormed = rows.map((row) => row.map((text) => text.toWellFormed()));
        const bytes = await fileOf([['Von', 'Nach']], wellFormed);
        const read = await readCsv(bytes, { maxRows: 1000 });
        expect(read.delimiter).toBe(';');
        expect(read.rows.slice(1).map((row) => row.map(unescapeCell))).toEqual(wellFormed);
      }),
    );
  });

  it('quotes cells that contain a formula after a comma', () => {
    expect(formatRows([['a,=b', 'c\t+d', 'e']])).toBe('"a,=b";"c\t+d";e\n');
  });

  it('contains no cell that a spreadsheet reads as a formula', async () => {
    await fc.assert(
      fc.asyncProperty(cell, async (text) => {
        const read = await readCsv(await fileOf([header, ['/a', text.toWellFormed()]]), { maxRows: 10 });
        expect(read.rows[1]?.[1]).not.toMatch(/^[=+\-@\t\r]/);
      }),
    );
  });

  it('is read up to the limit of rows', async () => {
    const file = (rows: number) => Buffer.from(`Von,Nach\n${'/a,/b\n'.repeat(rows)}`);
    expect((await readCsv(file(10), { maxRows: 10 })).rows).toHaveLength(11);
    await expect(readCsv(file(11), { maxRows: 10 })).rejects.toMatchObject({
      code: 'csv.tooManyRows',
      params: { max: 10 },
    });
  });
});

describe('a file that is not small', () => {
  const line = '/a,"b ""c""\n,d"\n';
  const large = (rows: number, more = '') => Buffer.from(`Von,Nach\n${line.repeat(rows)}${more}`);

  it('is read like a small one', async () => {
    const { delimiter, rows } = await readCsv(large(20_000), { maxRows: 50_000 });
    expect([delimiter, rows.length, rows[0]]).toEqual([',', 20_001, ['Von', 'Nach']]);
    expect(new Set(rows.slice(1).map((row) => JSON.stringify(row)))).toEqual(
      new Set([JSON.stringify(['/a', 'b "c"\n,d'])]),
    );
  });

  it.each([
    ['an open quote', large(10_000, '/x,"y'), { code: 'csv.syntax', params: { row: 10_002 } }],
    ['a byte that is not UTF-8', Buffer.concat([large(10_000), Buffer.of(0xff)]), { code: 'common.invalid' }],
    ['too many rows', large(20_000), { code: 'csv.tooManyRows' }],
    ['a row that is too long', large(10_000, 'x'.repeat(300_000)), { code: 'csv.syntax' }],
  ])('is refused for %s', async (_, bytes, error) => {
    await expect(readCsv(bytes, { maxRows: 15_000 })).rejects.toMatchObject(error);
  });
});
