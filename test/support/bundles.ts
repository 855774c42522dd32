import { type ApiAnswer, asRecord, call } from './api.ts';
import { makeZip, readZip, type ZipEntry } from './made-zip.ts';
import { masterToken, type TestServer } from './server.ts';

type Address = Pick<TestServer, 'url'>;

/** GET /bundle as bytes. */
export async function download(server: Address, query = ''): Promise<Buffer> {
  const response = await fetch(`${server.url}/api/v1/bundle${query}`, {
    headers: { Authorization: `Bearer ${masterToken}` },
  });
  if (response.status !== 200) throw new Error(`GET /bundle: ${response.status} ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

/** POST /bundle. */
export function importBundle(server: Address, bytes: Uint8Array, query = ''): Promise<ApiAnswer> {
  return call(server, 'POST', `/bundle${query}`, {
    raw: new Uint8Array(bytes),
    headers: { 'Content-Type': 'application/zip' },
  });
}

/** POST /bundle of an archive that may have been changed: if only its hash is wrong, once more with the right one. */
export async function importWithTrueHash(server: Address, bytes: Uint8Array, query = ''): Promise<ApiAnswer> {
  const answer = await importBundle(server, bytes, query);
  const [hash] = /(?<=the hash of its manifest is not that of its content, )[0-9a-f]{64}/.exec(
    String(asRecord(answer.body)['error']),
  ) ?? [undefined];
  if (hash === undefined) return answer;
  return importBundle(server, (await BundleParts.of(bytes)).withManifest({ hash }).zip(), query);
}

export async function hashOf(server: Address): Promise<string> {
  return String(asRecord((await call(server, 'GET', '/bundle/info')).body)['hash']);
}

/** Numbers of a report that are not 0. */
export function countsIn({ body }: ApiAnswer): Record<string, Record<string, unknown>> {
  const report = asRecord(body);
  return Object.fromEntries(
    ['created', 'updated', 'deleted'].map((name) => [
      name,
      Object.fromEntries(Object.entries(asRecord(report[name])).filter(([, count]) => count !== 0)),
    ]),
  );
}

/** A bundle taken apart, so that a test can change something and put it together again. */
export class BundleParts {
  readonly entries: Map<string, Buffer>;

  private constructor(entries: Map<string, Buffer>) {
    this.entries = entries;
  }

  static async of(bytes: Uint8Array): Promise<BundleParts> {
    return new BundleParts(await readZip(bytes));
  }

  get manifest(): Record<string, unknown> {
    return asRecord(JSON.parse(String(this.entries.get('manifest.json'))));
  }

  rows(table: string): Record<string, unknown>[] {
    const text = String(this.entries.get(`data/${table}.ndjson`));
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => asRecord(JSON.parse(line)));
  }

  withManifest(fields: Readonly<Record<string, unknown>>): BundleParts {
    return this.with('manifest.json', JSON.stringify({ ...this.manifest, ...fields }));
  }

  withRows(table: string, rows: readonly unknown[]): BundleParts {
    return this.with(`data/${table}.ndjson`, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }

  with(name: string, data: Buffer | string): BundleParts {
    return new BundleParts(new Map([...this.entries, [name, Buffer.from(data)]]));
  }

  without(name: string): BundleParts {
    return new BundleParts(new Map([...this.entries].filter(([entry]) => entry !== name)));
  }

  list(): ZipEntry[] {
    return [...this.entries].map(([name, data]) => ({ name, data, deflate: name.startsWith('data/') }));
  }

  /** @param more entries after those of the bundle */
  zip(more: readonly ZipEntry[] = []): Buffer {
    return makeZip([...this.list(), ...more]);
  }
}
