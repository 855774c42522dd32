/**
 * uWebSockets.js, the fast transport. The rules of the library, and how they are kept:
 *
 *  1. `req` is valid only until the handler returns: everything is read from it at once, into plain values.
 *  2. `res` must not be touched after an abort: `onAborted` is set before the handler returns, unless the
 *     answer has been written by then, and every later write looks at `aborted` first.
 *  3. A handler runs corked; a write after an `await` goes through `res.cork`.
 *  4. `onData` must be set before the handler returns, or the first bytes of the body are lost.
 *  5. A body is sent even to HEAD unless `endWithoutBody` is called, and that without arguments; answers.ts
 *     then writes Content-Length itself.
 *  6. What `end` cannot send is kept in a buffer without limit. So answers go out with `tryEnd` (answers.ts).
 *  7. The first of two Content-Length headers frames the message, the first of two Hosts is reported, and
 *     every transfer coding is taken for chunks. A proxy may have understood such a request differently, so
 *     it is refused and the connection closed (framing.ts).
 *  8. A connection that is silent for 10 s is closed, also in the middle of a head or body. The time is built in.
 *
 * A status line may hold whole header lines: uWebSockets.js writes it as it is. One call with a prepared head
 * instead of one call per header keeps a cached page close to the speed of the bare library.
 */
import type * as uWS from 'uWebSockets.js';
import {
  defaultMaxConnections,
  type RequestHandler,
  type Transport,
  type TransportOptions,
} from '../transport.ts';
import { createApp, handleAll, limitConnections } from './app.ts';
import type { Library } from './library.ts';
import { listen } from './listening.ts';

export class UwsTransport implements Transport {
  readonly name = 'uws';
  readonly sharing = undefined;
  readonly isFramingSure = false;
  readonly keepsUnreadHeads = true;
  readonly #library: Library;
  readonly #app: uWS.TemplatedApp;
  #listening: uWS.us_listen_socket | undefined;

  /** @throws StartupError when the TLS files cannot be used */
  constructor(library: Library, { tls, maxConnections = defaultMaxConnections }: TransportOptions) {
    this.#library = library;
    this.#app = createApp(library, tls);
    limitConnections(this.#app, maxConnections);
  }

  handleWith(handler: RequestHandler): void {
    handleAll(this.#app, handler);
  }

  async listen(host: string, port: number): Promise<number> {
    this.#listening = await listen(this.#app, host, port);
    return this.#library.us_socket_local_port(this.#listening);
  }

  stopAccepting(): void {
    if (this.#listening !== undefined) this.#library.us_listen_socket_close(this.#listening);
    this.#listening = undefined;
  }

  close(): void {
    this.#app.close();
  }
}
