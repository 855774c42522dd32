import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asRecord } from './api.ts';
import { makeZip, readZip, type ZipEntry } from './made-zip.ts';

/** A backup taken apart, so that a test can change something and put it together again. */
export class BackupParts {
  readonly files: ReadonlyMap<string, Buffer>;

  private constructor(files: ReadonlyMap<string, Buffer>) {
    this.files = files;
  }

  static async of(file: string): Promise<BackupParts> {
    return new BackupParts(await readZip(readFileSync(file)));
  }

  get manifest(): Record<string, unknown> {
    return asRecord(JSON.parse(String(this.files.get('manifest.json'))));
  }

  /** The names of all media. */
  get media(): string[] {
    return [...this.files.keys()].filter((name) => name.startsWith('media/'));
  }

  /** SHA-256 of the bytes of a file. */
  hashOf(name: string): string {
    return sha256(this.files.get(name) ?? Buffer.alloc(0));
  }

  /** With other bytes, and hashes that fit them. */
  with(name: string, bytes: Buffer | string): BackupParts {
    return new BackupParts(new Map([...this.files, [name, Buffer.from(bytes)]])).withRightHashes();
  }

  /** Without a file, and hashes of the others. */
  without(name: string): BackupParts {
    return new BackupParts(new Map([...this.files].filter(([other]) => other !== name))).withRightHashes();
  }

  withManifest(fields: Readonly<Record<string, unknown>>): BackupParts {
    return this.withRaw('manifest.json', JSON.stringify({ ...this.manifest, ...fields }));
  }

  /** With other bytes, whatever the hashes say. */
  withRaw(name: string, bytes: Buffer | string): BackupParts {
    return new BackupParts(new Map([...this.files, [name, Buffer.from(bytes)]]));
  }

  list(): ZipEntry[] {
    return [...this.files].map(([name, data]) => ({ name, data }));
  }

  /** @param more entries after those of the backup */
  zip(more: readonly ZipEntry[] = []): Buffer {
    return makeZip([...this.list(), ...more]);
  }

  private withRightHashes(): BackupParts {
    const lists = ['SHA256SUMS', 'manifest.json'];
    const sums = [...this.files]
      .filter(([name]) => !lists.includes(name))
      .map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`)
      .join('');
    return this.withRaw('SHA256SUMS', sums).withManifest({ sums: sha256(Buffer.from(sums)) });
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** All files below a folder with hashes of their bytes, without empty lock files. */
export function filesBelow(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.endsWith('.lock'),
  );
  return Object.fromEntries(
    entries
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), sha256(readFileSync(path))]),
  );
}
