import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findUpload, type Upload } from '../../../server/api/multipart/upload.ts';
import type { ApiRequest } from '../../../server/http/api-exchange.ts';

const boundary = 'x-y';

/** A file kept in memory; `discarded` says how many were given up. */
class Kept {
  static discarded = 0;
  readonly parts: Buffer[] = [];

  async write(bytes: Uint8Array): Promise<void> {
    this.parts.push(Buffer.from(bytes));
  }

  async finish(): Promise<Kept> {
    return this;
  }

  async discard(): Promise<void> {
    Kept.discarded += 1;
  }
}

function send(
  body: Buffer,
  sizes: readonly number[] = [body.length],
  maxFileBytes = 1e6,
): Promise<Upload<Kept>> {
  const chunks: Buffer[] = [];
  for (let at = 0, turn = 0; at < body.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(body.subarray(at, at + size));
    at += size;
  }
  // Type boundary: only these fields of a request are read.
  const request = {
    headers: new Map([['content-type', `multipart/form-data; boundary=${boundary}`]]),
    stream: () => Readable.from(chunks, { objectMode: false }),
  } as unknown as ApiRequest;
  const receive = findUpload(request);
  if (receive === undefined) throw new Error('this is no form');
  return receive({ maxFileBytes, maxFiles: 3 }, async () => new Kept());
}

function part(header: string, content: Buffer | string): Buffer {
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\n${header}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
}

const end = Buffer.from(`--${boundary}--\r\n`);
const fileHeader = 'Content-Disposition: form-data; name="file"; filename="a.bin"';
const shown = ({ fields, files }: Upload<Kept>) => ({
  fields: [...fields],
  files: files.map(({ field, filename, kept }) => [field, filename, Buffer.concat(kept.parts)]),
});

describe('an uploaded form', () => {
  it('is the same however its bytes arrive', async () => {
    const pieces = ['\r\n', '--', boundary, '-', 'x', '\r\n\r\n', '\0', 'abc', '\r', '\n--x-'];
    const content = fc
      .array(fc.constantFrom(...pieces), { maxLength: 30 })
      .map((list) => list.join(''))
      // A content that contains the delimiter would be another form.
      .filter((text) => !`\r\n${text}\r\n`.includes(`\r\n--${boundary}`));
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(content, content, sizes, async (first, second, chunks) => {
        const body = Buffer.concat([
          part('Content-Disposition: form-data; name="alt"', 'text'),
          part(fileHeader, first),
          part(fileHeader, second),
          end,
        ]);
        expect(shown(await send(body, chunks))).toEqual({
          fields: [['alt', 'text']],
          files: [
            ['file', 'a.bin', Buffer.from(first)],
            ['file', 'a.bin', Buffer.from(second)],
          ],
        });
      }),
      { numRuns: 60 },
    );
  });

  const long = (size: number) => part(`${fileHeader}\r\nX: ${'y'.repeat(size)}`, 'abc');
  it.each([[1], [7], [1000], [100_000]])(
    'in chunks of %i bytes has headers of at most 8 KB',
    async (size) => {
      expect((await send(Buffer.concat([long(8000), end]), [size])).files).toHaveLength(1);
      const refused = send(Buffer.concat([long(8200), end]), [size]);
      await expect(refused).rejects.toMatchObject({
        code: 'common.invalidForm',
        params: { reason: expect.stringMatching(/header/) },
      });
    },
  );

  it('that fails gives up all files that were kept', async () => {
    const good = part(fileHeader, 'abc');
    const table: [string, Buffer][] = [
      ['common.invalidForm', Buffer.concat([good, good])],
      ['common.invalidForm', Buffer.concat([good, good, good, good, end])],
      ['file.tooLarge', Buffer.concat([good, part(fileHeader, Buffer.alloc(200)), good, end])],
      ['common.invalidForm', Buffer.concat([good, long(9000), end])],
    ];
    for (const [code, body] of table) {
      const before = Kept.discarded;
      await expect(send(body, [50], 100)).rejects.toMatchObject({ code });
      expect(Kept.discarded).toBeGreaterThan(before);
    }
  });
});
