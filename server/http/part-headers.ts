import { Transform } from 'node:stream';
import { apiError } from '../errors.ts';

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
  /** The end of the bytes before, in which a delimiter or the end of a header may have begun. */
  let tail: Buffer = Buffer.from('\r\n');
  let isHeader = false;
  let headerBytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let rest = Buffer.concat([tail, chunk]);
      for (;;) {
        const wanted = isHeader ? headerEnd : delimiter;
        const at = rest.indexOf(wanted);
        if (isHeader) headerBytes += at < 0 ? rest.length - tail.length : at;
        if (headerBytes > maxHeaderBytes) {
          done(apiError('common.invalidForm', { reason: 'the header of a part is too long' }));
          return;
        }
        if (at < 0) {
          tail = rest.subarray(Math.max(0, rest.length - wanted.length + 1));
          break;
        }
        rest = rest.subarray(at + wanted.length);
        tail = Buffer.alloc(0);
        isHeader = !isHeader;
        headerBytes = 0;
      }
      done(null, chunk);
    },
  });
}

/** The boundary in a content type; undefined if there is none. */
export function boundaryIn(contentType: string): string | undefined {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType) ?? [];
  return quoted ?? bare;
}
