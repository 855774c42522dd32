import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/**
 * A ZIP archive that is made while it is read. Entries are opened one after the other when it is their turn. If one
 * cannot be read, the output fails; if the reader goes, so does the open entry.
 */
export class ArchiveWriter {
  /** The archive. It must be read to its end or destroyed. */
  readonly output: Readable;
  readonly #zip = new ZipFile();
  #open: Readable | undefined;

  /** @param onClose called once, however it ends */
  constructor(onClose: () => Promise<void>) {
    // Type boundary: yazl's output is a PassThrough.
    this.output = this.#zip.outputStream as Readable;
    this.#zip.on('error', (error: Error) => this.output.destroy(error));
    this.output.once('close', () => {
      this.#open?.destroy();
      void onClose();
    });
  }

  addBytes(name: string, bytes: Buffer): void {
    this.#zip.addBuffer(bytes, name, { mtime: archiveTime, mode: 0o100644 });
  }

  /**
   * @param open called when all entries before are written
   * @param size in bytes, if it is known
   */
  add(name: string, isCompressed: boolean, open: () => Promise<Readable>, size?: number): void {
    const options = {
      compress: isCompressed,
      mtime: archiveTime,
      mode: 0o100644,
      ...(size === undefined ? {} : { size }),
    };
    this.#zip.addReadStreamLazy(name, options, (give) => {
      open().then(
        (source) => {
          this.#open = source;
          if (this.output.destroyed) source.destroy();
          source.on('error', (error) => this.output.destroy(error));
          give(undefined, source);
        },
        (error: unknown) => this.output.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    });
  }

  /** No entry comes after this. */
  end(): void {
    this.#zip.end();
  }
}

/** The same for all entries, so that equal content gives equal archives. */
const archiveTime = new Date(Date.UTC(2000, 0, 1));
