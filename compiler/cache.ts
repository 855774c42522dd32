/**
 * Where compiled code is kept between links, workers and restarts.
 *
 * - Key: SHA-256 of everything the entry depends on: the compiler itself, the source, the variant, and what was asked
 *   about other templates. An entry is therefore never wrong, only unused; nothing is ever invalidated.
 * - Disk: one file per key, written whole (temporary file, then rename), so that a killed process leaves no half
 *   entry. A file that does not parse or whose checksum is off counts as absent and is written anew. Without room on
 *   the disk nothing is kept, and rendering goes on.
 * - Memory: the linker's, bounded there.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';

export interface DiskCache {
  /** What was kept, undefined if nothing was. */
  read(key: string): unknown;
  /** Keeps it if that is possible. */
  write(key: string, value: unknown): void;
}

export function digest(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('hex');
}

/** A cache below `folder`. */
export function createDiskCache(folder: string): DiskCache {
  const pathOf = (key: string) => join(folder, key.slice(0, 2), `${key.slice(2)}.json`);
  return {
    read(key) {
      try {
        return decode(readFileSync(pathOf(key), 'utf8'));
      } catch {
        return undefined;
      }
    },
    write: (key, value) => keepFile(pathOf(key), encode(value)),
  };
}

/** Writes a file whole, so that nobody ever reads half of it; not at all if that is not possible. */
export function keepFile(path: string, text: string): void {
  try {
    writeWhole(path, text);
  } catch {
    // What cannot be kept is made again.
  }
}

function writeWhole(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.${threadId}`;
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function encode(value: unknown): string {
  const json = JSON.stringify(value);
  return `${digest(json)}\n${json}`;
}

function decode(text: string): unknown {
  const json = text.slice(text.indexOf('\n') + 1);
  return text.startsWith(`${digest(json)}\n`) ? JSON.parse(json) : undefined;
}

let version: string | undefined;

/** Digest of the compiler's and the grammar's own files: code made by another version is never taken up. */
export function compilerVersion(): string {
  version ??= digest(
    ...filesBelow(import.meta.dirname),
    ...filesBelow(join(import.meta.dirname, '..', 'grammar')),
  );
  return version;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return filesBelow(path);
      return /\.(ts|js)$/.test(name) ? [name, readFileSync(path, 'utf8')] : [];
    });
}
