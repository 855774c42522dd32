import { RawConnection } from '../../support/http-answers.ts';
import { health } from './messages.ts';

/** Connections by which a test learns that a server has read what was sent before. */
export class Barrier {
  readonly #port: number;
  readonly #threads: number;
  #connections: readonly RawConnection[] = [];
  #sent = 0;

  /** @param threads of the server, which get new connections in turn */
  constructor(port: number, threads: number) {
    this.#port = port;
    this.#threads = threads;
  }

  /**
   * Resolves when every thread has read what was sent to it before. A thread that answers in one turn of its event loop
   * may read other connections after that, but not in the turn after it.
   */
  async wait(): Promise<void> {
    if (this.#connections.length === 0 || this.#connections.some(({ hasEnded }) => hasEnded)) {
      this.#sent = 0;
      this.#connections = await Promise.all(
        Array.from({ length: this.#threads }, () => RawConnection.open(this.#port)),
      );
    }
    for (let turn = 0; turn < 2; turn++) {
      this.#sent += 1;
      for (const connection of this.#connections) connection.write(health());
      await Promise.all(this.#connections.map((connection) => connection.answers(this.#sent)));
    }
    if (this.#sent > 100) this.close();
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
    this.#connections = [];
  }
}
