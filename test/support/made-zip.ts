import { buffer } from 'node:stream/consumers';
import { crc32, deflateRawSync } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';

/** An entry of an archive; every field can say something that is not true. */
export interface ZipEntry {
  readonly name: string;
  readonly data: Buffer | string;
  readonly deflate?: boolean;
  readonly method?: number;
  readonly flags?: number;
  readonly crc?: number;
  readonly size?: number;
  readonly compressedSize?: number;
  /** File mode in the upper half, as Unix tools write it. */
  readonly mode?: number;
  /** Position of the local header that the list of entries names. */
  readonly offset?: number;
}

/** Writes an archive with exactly these entries. */
export function makeZip(entries: readonly ZipEntry[], { cut = 0 } = {}): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let position = 0;
  for (const entry of entries) {
    const raw = Buffer.from(entry.data);
    const stored = entry.deflate === true ? deflateRawSync(raw) : raw;
    const name = Buffer.from(entry.name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE((entry.flags ?? 0) | 0x800, 2);
    fields.writeUInt16LE(entry.method ?? (entry.deflate === true ? 8 : 0), 4);
    fields.writeUInt32LE((entry.crc ?? crc32(raw)) >>> 0, 10);
    fields.writeUInt32LE(entry.compressedSize ?? stored.length, 14);
    fields.writeUInt32LE(entry.size ?? raw.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const header = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, name]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6);
    rest.writeUInt32LE(entry.offset ?? position, 10);
    list.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0003'), fields, rest, name]));
    parts.push(header, stored);
    position += header.length + stored.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 8);
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(position, 16);
  const bytes = Buffer.concat([...parts, directory, end]);
  return bytes.subarray(0, bytes.length - cut);
}

/** The entries of an archive by name. */
export async function readZip(bytes: Uint8Array): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true });
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    entries.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  return entries;
}
