import { Connection } from './connection.ts';

/**
 * Long reads of one committed state, a part at a time with turns of the event loop in between. They have a
 * connection of their own, because a transaction on the shared one would hide later commits from all readers.
 * One read runs at a time; the others wait.
 */
export class Snapshots<Tables> {
  readonly #file: string;
  #connection: Connection<Tables> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(file: string) {
    this.#file = file;
  }

  /** Runs `work` on the state at its start, which contains everything committed before this call. */
  read<T>(work: (db: Connection<Tables>) => Promise<T>): Promise<T> {
    const result = this.#last.then(() => this.#run(work));
    this.#last = result.catch(() => {});
    return result;
  }

  /** Waits for running reads. */
  async close(): Promise<void> {
    await this.#last;
    this.#connection?.close();
  }

  async #run<T>(work: (db: Connection<Tables>) => Promise<T>): Promise<T> {
    this.#connection ??= new Connection<Tables>(this.#file, { readonly: true, showsOverlay: true });
    const connection = this.#connection;
    connection.execute('BEGIN');
    try {
      return await work(connection);
    } finally {
      connection.execute('COMMIT');
    }
  }
}
