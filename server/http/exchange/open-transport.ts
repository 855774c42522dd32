import type { Log } from '../../base/log.ts';
import { StartupError } from '../../base/startup-error.ts';
import { NodeTransport } from './node/index.ts';
import { ThreadsTransport } from './threads/index.ts';
import { fixedSeconds, type Transport, type TransportName, type TransportOptions } from './transport.ts';
import { UwsTransport } from './uws/index.ts';
import { type Library, loadLibrary } from './uws/library.ts';

export interface OpenTransportOptions extends TransportOptions {
  /** `auto`: uWebSockets.js if there is a binary for this machine, else sockets of Node.js. */
  readonly choice: TransportName | 'auto';
  readonly log: Log;
  /** Threads that receive requests; more than one only with uWebSockets.js. Default: 1, the main thread. */
  readonly threads?: number;
  /** Path of the code of such a thread. */
  readonly threadFile: string;
  /** The address of all clients if only this machine can connect. */
  readonly localPeer?: string | undefined;
  /** Loads uWebSockets.js. */
  readonly load?: () => Promise<Library>;
}

/** @throws StartupError if the chosen transport, or a time that it cannot keep, is not available */
export async function openTransport(options: OpenTransportOptions): Promise<Transport> {
  const { choice, log, load = loadLibrary, threads = 1 } = options;
  if (choice === 'node') return nodeTransport(options);
  const library = await load().catch((error: unknown) => {
    if (choice === 'uws')
      throw new StartupError(
        'there is no binary of uWebSockets.js for this machine; use -front node or leave -front out',
        { cause: error },
      );
    log.warn({ err: error }, 'there is no binary of uWebSockets.js for this machine: using -front node');
    return undefined;
  });
  if (library === undefined) return nodeTransport(options);
  const { keepAliveSeconds = fixedSeconds, headerSeconds = fixedSeconds } = options;
  if (keepAliveSeconds !== fixedSeconds || headerSeconds !== fixedSeconds)
    throw new StartupError(
      `-keep-alive ${keepAliveSeconds} and -header-timeout ${headerSeconds} need -front node: uWebSockets.js always waits ${fixedSeconds} s`,
    );
  return threads === 1
    ? new UwsTransport(library, options)
    : new ThreadsTransport(library, { ...options, threads });
}

function nodeTransport(options: OpenTransportOptions): Promise<Transport> {
  if ((options.threads ?? 1) > 1)
    throw new StartupError(`-front-threads ${options.threads} needs -front uws: -front node has one thread`);
  return NodeTransport.create(options);
}
