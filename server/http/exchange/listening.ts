/** The listening socket. */

import * as uWS from 'uWebSockets.js';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createSecureContext } from 'node:tls';
import { StartupError } from '../../startup-error.ts';

export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export function createUwsApp(tls: TlsFiles | undefined): uWS.TemplatedApp {
  if (tls === undefined) return uWS.App();
  checkTlsFiles(tls);
  return uWS.SSLApp({ cert_file_name: tls.certFile, key_file_name: tls.keyFile });
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

/** The library does not say what is wrong with a file, so Node.js reads the files first. */
function checkTlsFiles({ certFile, keyFile }: TlsFiles): void {
  const cert = readTlsFile(certFile);
  const key = readTlsFile(keyFile);
  attempt(() => createSecureContext({ cert }), `the TLS file ${certFile} contains no valid certificate`);
  attempt(() => createSecureContext({ key }), `the TLS file ${keyFile} contains no valid private key`);
  attempt(
    () => createSecureContext({ cert, key }),
    `the private key in ${keyFile} does not belong to the certificate in ${certFile}`,
  );
}

function readTlsFile(file: string): Buffer {
  return attempt(() => readFileSync(file), `cannot read the TLS file ${file}`);
}

function attempt<T>(work: () => T, message: string): T {
  try {
    return work();
  } catch (error) {
    throw new StartupError(message, { cause: error });
  }
}

/** Without this option a second server would share the port silently, and each would get some connections. */
const exclusivePort = 1;

export function listen(app: uWS.TemplatedApp, host: string, port: number): Promise<uWS.us_listen_socket> {
  return new Promise((resolve, reject) => {
    const onListen = (socket: uWS.us_listen_socket | false): void => {
      if (socket) resolve(socket);
      else
        void whyRefused(host, port).then((code) => reject(new StartupError(refusalText(host, port, code))));
    };
    // The form with host and options exists but is missing in the library's types.
    const address = host === '' ? [port] : [host, port];
    Reflect.apply(app.listen, app, [...address, exclusivePort, onListen]);
  });
}

/** The library reports no reason, so Node.js tries the same address. Returns the code of its error. */
async function whyRefused(host: string, port: number): Promise<string> {
  const probe = createServer();
  try {
    probe.listen({ port, exclusive: true, ...(host === '' ? {} : { host }) });
    await once(probe, 'listening');
    return '';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : '';
  } finally {
    probe.close();
  }
}

/** One line for the operator. @param code of the system's error, empty if it is not known */
export function refusalText(host: string, port: number, code: string): string {
  const reason = reasons.get(code);
  return `cannot listen on ${host}:${port}: ${reason ?? 'the port is taken or the address is not available'}`;
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'the port is taken by another program'],
  ['EACCES', 'no permission for this port (ports below 1024 usually need special rights)'],
  ['EADDRNOTAVAIL', 'the address does not belong to this machine'],
  ['ENOTFOUND', 'the host name is not known'],
]);
