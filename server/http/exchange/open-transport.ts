import type { Log } from '../../base/log.ts';
import { StartupError } from '../../base/startup-error.ts';
import { NodeTransport } from './node/index.ts';
import { ThreadsTransport } from './threads/index.ts';
import { fixedSeconds, type Transport, type TransportName, type TransportOptions } from './transport.ts';
import { UwsTransport } from './uws/index.ts';
import { isForThisNode, type Library, loadLibrary } from './uws/library.ts';

export interface OpenTransportOptions extends TransportOptions {
  /**
   * `auto`: uWebSockets.js where it has a binary for this machine and only this machine can connect, or where several
   * threads are wanted; else sockets of Node.js.
   */
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
  const { choice, threads = 1 } = options;
  const prefersNode = choice === 'auto' && threads === 1 && (isOpenToOthers(options) || hasOwnTimes(options));
  const library = choice === 'node' || prefersNode ? undefined : await loadIfThere(options);
  if (library === undefined) {
    if (threads > 1)
      throw new StartupError(`-front-threads ${threads} needs -front uws: -front node has one thread`);
    return NodeTransport.create(options);
  }
  const { keepAliveSeconds = fixedSeconds, headerSeconds = fixedSeconds } = options;
  if (hasOwnTimes(options))
    throw new StartupError(
      `-keep-alive ${keepAliveSeconds} and -header-timeout ${headerSeconds} need -front node: uWebSockets.js always waits ${fixedSeconds} s`,
    );
  return threads === 1
    ? new UwsTransport(library, options)
    : new ThreadsTransport(library, { ...options, threads });
}

/** Requests of strangers come cut at any byte, which uWebSockets.js does not bear (`server/docs/options.md`). */
function isOpenToOthers({ localPeer }: OpenTransportOptions): boolean {
  return localPeer === undefined;
}

function hasOwnTimes({ keepAliveSeconds, headerSeconds }: OpenTransportOptions): boolean {
  return (
    (keepAliveSeconds ?? fixedSeconds) !== fixedSeconds || (headerSeconds ?? fixedSeconds) !== fixedSeconds
  );
}

/** @throws StartupError if there is no binary and nothing else may be taken */
async function loadIfThere({
  choice,
  log,
  load = loadLibrary,
}: OpenTransportOptions): Promise<Library | undefined> {
  try {
    return await load();
  } catch (error) {
    if (choice === 'uws')
      throw new StartupError(
        'there is no binary of uWebSockets.js for this machine; use -front node or leave -front out',
        { cause: error },
      );
    // Of later versions of Node.js it is known, and nothing is wrong.
    if (isForThisNode)
      log.warn({ err: error }, 'there is no binary of uWebSockets.js for this machine: using -front node');
    else log.debug({}, 'there is no binary of uWebSockets.js for this Node.js: using -front node');
    return undefined;
  }
}
