import type { Origin, Scheme } from '../origin.ts';
import type { PublicRequest } from '../public-exchange.ts';
import { type RequestHeaders, readHeader } from './framing.ts';
import { readPeer } from './running.ts';
import type { RequestHead, Responder } from './transport.ts';

/** A public request. Headers are read on demand, as long as `headers` and `req` are valid. */
export class FrontRequest implements PublicRequest {
  readonly method: 'GET' | 'HEAD';
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly #origin: Origin;
  readonly #req: RequestHead;
  readonly #res: Responder;

  constructor(
    req: RequestHead,
    res: Responder,
    headers: RequestHeaders,
    isHead: boolean,
    origin: Origin,
    path: string,
    query: string,
  ) {
    this.#req = req;
    this.#res = res;
    this.headers = headers;
    this.method = isHead ? 'HEAD' : 'GET';
    this.#origin = origin;
    this.path = path;
    this.query = query;
  }

  get host(): string {
    return this.#origin.host;
  }

  get scheme(): Scheme {
    return this.#origin.scheme;
  }

  get acceptEncoding(): string {
    return this.headers.acceptEncoding ?? '';
  }

  get ifNoneMatch(): string {
    return this.headers.ifNoneMatch ?? '';
  }

  get cookie(): string {
    return this.headers.cookie;
  }

  header(name: string): string {
    return readHeader(this.#req, this.headers, name);
  }

  peer(): string {
    return readPeer(this.#res);
  }
}
