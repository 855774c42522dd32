/**
 * The cache of facts and compiled code. It outlasts links, workers and restarts.
 *
 * - Key: SHA-256 of everything the entry depends on: the compiler itself, the source, the variant, and the
 *   answers about other templates. So an entry is never wrong, only unused; nothing is ever invalidated.
 * - Disk: one file per key, written whole (temporary file, then rename), so that a killed process leaves no
 *   half entry. A file that does not parse, or has a wrong checksum, counts as absent and is written anew. If
 *   the disk is full, nothing is kept and rendering goes on.
 * - Files are written in a later turn of the event loop, so that nobody waits for them.
 * - Memory: the linker keeps units in memory and limits them.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';

/** A disk cache in a folder. */
export class DiskCache {
  readonly #folder: string;
  readonly #keeps: CacheKeeping;
  /** Values that have no file yet. */
  readonly #waiting = new Map<string, unknown>();

  constructor(folder: string, keeps: CacheKeeping = 'all') {
    this.#folder = folder;
    this.#keeps = keeps;
  }

  /** The value of a key; undefined if there is none. */
  read(key: string): unknown {
    if (this.#waiting.has(key)) return this.#waiting.get(key);
    try {
      return decode(readFileSync(this.#pathOf(key), 'utf8'));
    } catch {
      return undefined;
    }
  }

  /**
   * Stores the value of a key, which must not change any more. A failure is ignored.
   *
   * @param isNamed whether it is about a template with a name
   */
  write(key: string, value: unknown, isNamed: boolean): void {
    if (this.#keeps === 'named' && !isNamed) return;
    if (this.#waiting.size === 0) setImmediate(() => this.#writeFiles());
    this.#waiting.set(key, value);
  }

  #writeFiles(): void {
    for (const [key, value] of this.#waiting) keepFile(this.#pathOf(key), encode(value));
    this.#waiting.clear();
  }

  #pathOf(key: string): string {
    return join(this.#folder, key.slice(0, 2), `${key.slice(2)}.json`);
  }
}

/** What files are written for: all templates, or those with a name, which others share. */
export type CacheKeeping = 'all' | 'named';

export function digest(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('hex');
}

/** Writes a file whole, so that nobody ever reads half of it. A failure is ignored. */
export function keepFile(path: string, text: string): void {
  try {
    writeWhole(path, text);
  } catch {
    // An entry that is not on the disk is made again.
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

/** Digest of the files of the compiler and the grammar. Code made by another version is never used. */
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
