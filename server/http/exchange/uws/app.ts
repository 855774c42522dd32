import type * as uWS from 'uWebSockets.js';
import { readTlsFiles } from '../tls-files.ts';
import type { RequestHandler, TlsFiles } from '../transport.ts';
import type { Library } from './library.ts';

/** @throws StartupError when the TLS files cannot be used */
export function createApp(library: Library, tls: TlsFiles | undefined): uWS.TemplatedApp {
  if (tls === undefined) return library.App();
  readTlsFiles(tls);
  return library.SSLApp({ cert_file_name: tls.certFile, key_file_name: tls.keyFile });
}

/**
 * Hands over all requests. A route finds `GET` in exactly these letters, so the method of nearly all requests is known
 * without asking for it, which takes as long as reading a header.
 */
export function handleAll(app: uWS.TemplatedApp, handler: RequestHandler): void {
  app.get('/*', (res, req) => handler(res, req, 'GET'));
  app.any('/*', (res, req) => handler(res, req, req.getCaseSensitiveMethod()));
}

/**
 * Closes every connection beyond `max` as it comes. The bound is for all clients together, because the library
 * does not say whose connection has been closed.
 */
export function limitConnections(app: uWS.TemplatedApp, max: number): void {
  let open = 0;
  const count = (res: uWS.HttpResponse, change: number): void => {
    open += change;
    if (change > 0 && open > max) res.close();
  };
  app.filter(count);
}
