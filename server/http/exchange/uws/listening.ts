/** The listening socket. */
import type * as uWS from 'uWebSockets.js';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { StartupError } from '../../../base/startup-error.ts';
import { refusalText } from '../refused-address.ts';

/** Without this option a second server would share the port silently, and each would get some connections. */
const exclusivePort = 1;
/** How often a free port is looked for, because another program may take it first. */
const maxAttempts = 5;

/**
 * Listens on a port, 0 for any free one. The library never gets 0: it marks only a port that it was given as one that
 * connections of a server that has ended do not keep taken for a minute.
 *
 * @throws StartupError
 */
export async function listen(
  app: uWS.TemplatedApp,
  host: string,
  port: number,
): Promise<uWS.us_listen_socket> {
  let socket: uWS.us_listen_socket | undefined;
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const wanted = port === 0 ? await findFreePort(host) : port;
    if (wanted !== undefined) socket = await tryToListen(app, host, wanted);
    if (socket !== undefined) return socket;
    if (port !== 0) break;
  }
  // The library reports no reason, so Node.js tries the same address.
  const { code } = await probe(host, port);
  throw new StartupError(refusalText(host, port, code));
}

function tryToListen(
  app: uWS.TemplatedApp,
  host: string,
  port: number,
): Promise<uWS.us_listen_socket | undefined> {
  return new Promise((resolve) => {
    // The form with host and options exists but is missing in the library's types.
    const address = host === '' ? [port] : [host, port];
    const onListen = (socket: uWS.us_listen_socket | false): void => resolve(socket || undefined);
    Reflect.apply(app.listen, app, [...address, exclusivePort, onListen]);
  });
}

/** Undefined when the host cannot be listened on. */
async function findFreePort(host: string): Promise<number | undefined> {
  return (await probe(host, 0)).port;
}

/** Listens for a moment. The code is that of the error of the system, empty if there was none. */
async function probe(host: string, port: number): Promise<{ readonly port?: number; readonly code: string }> {
  const server = createServer();
  try {
    server.listen({ port, exclusive: true, ...(host === '' ? {} : { host }) });
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? { port: address.port, code: '' } : { code: '' };
  } catch (error) {
    return { code: error instanceof Error && 'code' in error ? String(error.code) : '' };
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}
