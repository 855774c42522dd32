import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** The random salt of a day, without which nobody can tell which address a visitor had. */
export interface DaySalt {
  of(day: number): Buffer | Promise<Buffer>;
}

/**
 * The salt of an instance on one machine. It lies in a file of its own and not in the database, so that no copy of the
 * database has it; the file is replaced when the day ends, and deleted when it is found on another day. A restart on
 * the same day goes on with it, so that visitors count once.
 */
export class DailySalt implements DaySalt {
  readonly #file: string;
  #day: number | undefined;
  #salt: Buffer = Buffer.alloc(0);

  constructor(file: string) {
    this.#file = file;
  }

  of(day: number): Buffer {
    if (day === this.#day) return this.#salt;
    this.#salt = readSalt(this.#file, day) ?? makeSalt(this.#file, day);
    this.#day = day;
    return this.#salt;
  }
}

/** Deletes the salt of another day. */
export function forgetOldSalt(file: string, today: number): void {
  if (readSalt(file, today) === undefined) rmSync(file, { force: true });
}

const saltBytes = 32;

function readSalt(file: string, day: number): Buffer | undefined {
  try {
    const [, savedDay, hex = ''] = /^(\d+) ([\da-f]{64})\n$/.exec(readFileSync(file, 'latin1')) ?? [];
    return Number(savedDay) === day ? Buffer.from(hex, 'hex') : undefined;
  } catch {
    return undefined;
  }
}

function makeSalt(file: string, day: number): Buffer {
  const salt = randomBytes(saltBytes);
  try {
    writeFileSync(`${file}.new`, `${day} ${salt.toString('hex')}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // On a full disk the salt lives in memory: a restart then counts the visitors of the day again.
    rmSync(file, { force: true });
  }
  return salt;
}
