/** The listening socket. */
import type * as uWS from 'uWebSockets.js';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { StartupError } from '../../../base/startup-error.ts';
import { refusalText } from '../refused-address.ts';

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
