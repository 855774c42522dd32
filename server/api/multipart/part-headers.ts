import { Transform } from 'node:stream';
import { apiError } from '../../base/errors.ts';

/** Largest header of one part of a form, in bytes. */
const maxHeaderBytes = 8 * 2 ** 10;
const headerEnd = Buffer.from('\r\n\r\n');

/**
 * Passes the bytes of a form on and fails at a part whose header is too long: the parser would only leave out the
 * rest of it.
 *
 * @param boundary as the content type names it
 */
export function limitPartHeaders(boundary: string): Transform {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  /** The last bytes before, in which a delimiter or the end of a header may have begun. */
  let tail: Buffer = Buffer.from('\r\n');
  let isHeader = false;
  let headerBytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      while (from < chunk.length) {
        const wanted = isHeader ? headerEnd : delimiter;
        const end = endOf(wanted, tail, chunk, from);
        if (isHeader) headerBytes += (end ?? chunk.length) - from;
        if (headerBytes > maxHeaderBytes) {
          done(apiError('common.invalidForm', { reason: 'the header of a part is too long' }));
          return;
        }
        if (end === undefined) break;
        from = end;
        tail = none;
        isHeader = !isHeader;
        headerBytes = 0;
      }
      const seen = chunk.subarray(from);
      const kept = (isHeader ? headerEnd : delimiter).length - 1;
      tail = Buffer.concat([tail, seen.subarray(-kept)]).subarray(-kept);
      done(null, chunk);
    },
  });
}

const none = Buffer.alloc(0);

/** Where the wanted bytes end in a chunk, also if they begin in the bytes before it; undefined if they are not there. */
function endOf(wanted: Buffer, tail: Buffer, chunk: Buffer, from: number): number | undefined {
  if (tail.length > 0) {
    const seam = Buffer.concat([tail, chunk.subarray(from, from + wanted.length - 1)]);
    const at = seam.indexOf(wanted);
    if (at >= 0) return from + at + wanted.length - tail.length;
  }
  const at = chunk.indexOf(wanted, from);
  return at < 0 ? undefined : at + wanted.length;
}

/** The boundary in a content type; undefined if there is none. */
export function boundaryIn(contentType: string): string | undefined {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType) ?? [];
  return quoted ?? bare;
}
