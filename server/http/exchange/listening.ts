/** The listening socket. */

import * as uWS from 'uWebSockets.js';
import { accessSync, constants } from 'node:fs';
import { StartupError } from '../../startup-error.ts';

export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export function createUwsApp(tls: TlsFiles | undefined): uWS.TemplatedApp {
  if (tls === undefined) return uWS.App();
  for (const file of [tls.certFile, tls.keyFile]) {
    try {
      accessSync(file, constants.R_OK);
    } catch {
      throw new StartupError(`cannot read the TLS file ${file}`);
    }
  }
  return uWS.SSLApp({ cert_file_name: tls.certFile, key_file_name: tls.keyFile });
}

/** Without it a second server would share the port silently, each getting some of the connections. */
const exclusivePort = 1;

export function listen(app: uWS.TemplatedApp, host: string, port: number): Promise<uWS.us_listen_socket> {
  return new Promise((resolve, reject) => {
    const onListen = (socket: uWS.us_listen_socket | false): void => {
      if (socket) resolve(socket);
      else
        reject(
          new StartupError(
            `cannot listen on ${host}:${port}: the port is taken or the address is not available`,
          ),
        );
    };
    // The form with host and options exists but is missing in the library's types.
    const address = host === '' ? [port] : [host, port];
    Reflect.apply(app.listen, app, [...address, exclusivePort, onListen]);
  });
}
