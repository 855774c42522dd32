/** Bundles that the server keeps in `<data>/backups/`, the newest ones. */
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../base/clock.ts';
import { apiError } from '../../base/errors.ts';
import { FilePart } from '../../base/file-part.ts';
import { isDiskFull, syncFolder } from '../../base/file-system.ts';
import { StreamedBody } from '../../http/body/streamed.ts';
import type { Backup } from './model.ts';

/** The newest are kept. */
const keptBackups = 10;

/** `20261122-204312.zip`, in UTC; a second one of that second has `-2`. No other file counts. */
const namePattern = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(?:-(\d{1,4}))?\.zip$/;

export class Backups {
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(dataDir: string, clock: Clock) {
    this.#folder = join(dataDir, 'backups');
    this.#clock = clock;
  }

  /** Newest first. */
  async list(): Promise<Backup[]> {
    const names = await readdir(this.#folder).catch((): string[] => []);
    const found: Backup[] = [];
    for (const name of names.filter((candidate) => namePattern.test(candidate)).sort(newestFirst)) {
      const file = await stat(join(this.#folder, name)).catch(() => undefined);
      if (file?.isFile() === true) found.push({ name, size: file.size, created_at: timeOf(name) });
    }
    return found;
  }

  /**
   * Keeps an archive, whole or not at all, and deletes the oldest beyond those that are kept.
   *
   * @param inUse a backup that is read at the moment; it is not deleted
   * @throws ApiError `common.storageFull`
   */
  async keep(archive: Readable, inUse?: string): Promise<Backup> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const draft = join(this.#folder, `.bundle-${process.pid}-${Math.random().toString(36).slice(2)}`);
    try {
      await pipeline(archive, createWriteStream(draft, { mode: 0o600, flush: true }));
      const name = await this.#nextName();
      await rename(draft, join(this.#folder, name));
      await syncFolder(this.#folder);
      await this.#prune(inUse);
      return { name, size: (await stat(join(this.#folder, name))).size, created_at: timeOf(name) };
    } catch (error) {
      await rm(draft, { force: true });
      throw isDiskFull(error) ? apiError('common.storageFull', {}, { cause: error }) : error;
    }
  }

  /** Path of a backup. @throws ApiError `common.notFound` */
  async find(name: string): Promise<string> {
    const backups = await this.list();
    if (!backups.some((backup) => backup.name === name)) throw apiError('common.notFound', {});
    return join(this.#folder, name);
  }

  /** The archive, for a download. @throws ApiError `common.notFound` */
  async open(name: string): Promise<StreamedBody> {
    const file = await open(await this.find(name));
    const { size } = await file.stat();
    return new StreamedBody(new FilePart(file, 0, size), size);
  }

  /** @throws ApiError `common.notFound` */
  async remove(name: string): Promise<void> {
    await rm(await this.find(name), { force: true });
  }

  /** Deletes what a crash has left of unfinished backups. */
  async sweep(): Promise<void> {
    const names = await readdir(this.#folder).catch((): string[] => []);
    for (const name of names)
      if (name.startsWith('.bundle-')) await rm(join(this.#folder, name), { force: true });
  }

  async #nextName(): Promise<string> {
    const stamp = new Date(this.#clock())
      .toISOString()
      .replaceAll(/[-:]/g, '')
      .slice(0, 15)
      .replace('T', '-');
    const sameSecond = (await readdir(this.#folder)).filter(
      (name) => name.startsWith(stamp) && namePattern.test(name),
    );
    // A number that was freed is not used again: by its name the backup would be older than it is.
    const number = Math.max(0, ...sameSecond.map(numberOf)) + 1;
    return number === 1 ? `${stamp}.zip` : `${stamp}-${number}.zip`;
  }

  async #prune(inUse: string | undefined): Promise<void> {
    for (const { name } of (await this.list()).slice(keptBackups))
      if (name !== inUse) await rm(join(this.#folder, name), { force: true });
  }
}

function newestFirst(left: string, right: string): number {
  return timeOf(right) - timeOf(left) || numberOf(right) - numberOf(left);
}

function timeOf(name: string): number {
  const [, ...parts] = namePattern.exec(name) ?? [];
  const [year = 0, month = 1, day = 1, hours = 0, minutes = 0, seconds = 0] = parts.map(Number);
  return Date.UTC(year, month - 1, day, hours, minutes, seconds) / 1000;
}

function numberOf(name: string): number {
  return Number(namePattern.exec(name)?.[7] ?? 1);
}
