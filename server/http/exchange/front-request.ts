import type { Origin, Scheme } from '../origin.ts';
import type { PublicRequest } from '../public-exchange.ts';
import { headerOf, noted } from './framing.ts';
import { peerOf } from './running.ts';
import type { RequestHead, Responder } from './transport.ts';

/** A public request. Header values are read from `req` on demand, while `req` is valid. */
export class FrontRequest implements PublicRequest {
  readonly method: 'GET' | 'HEAD';
  readonly host: string;
  readonly scheme: Scheme;
  readonly path: string;
  readonly query: string;
  readonly #req: RequestHead;
  readonly #res: Responder;

  constructor(
    req: RequestHead,
    res: Responder,
    isHead: boolean,
    origin: Origin,
    path: string,
    query: string,
  ) {
    this.#req = req;
    this.#res = res;
    this.method = isHead ? 'HEAD' : 'GET';
    this.host = origin.host;
    this.scheme = origin.scheme;
    this.path = path;
    this.query = query;
  }

  get acceptEncoding(): string {
    return noted.acceptEncoding ?? '';
  }

  get ifNoneMatch(): string {
    return noted.ifNoneMatch ?? '';
  }

  get cookie(): string {
    return noted.cookie;
  }

  header(name: string): string {
    return headerOf(this.#req, name);
  }

  peer(): string {
    return peerOf(this.#res);
  }
}
