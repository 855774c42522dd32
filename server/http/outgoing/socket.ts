import { connect, type Socket } from 'node:net';
import { pinned } from './connections.ts';
import { OutgoingError, toOutgoingError } from './errors.ts';

/** A connection for a protocol other than HTTP. */
export interface SocketRequest {
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
  readonly signal: AbortSignal;
  /** Default 10 s. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 10_000;

/**
 * Connects to addresses that were checked.
 *
 * @throws OutgoingError
 */
export function openSocket(
  { host, port, signal, timeoutMs = defaultTimeoutMs }: SocketRequest,
  addresses: readonly string[],
): Promise<Socket> {
  const place = `${host}:${port}`;
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      lookup: pinned(addresses),
      autoSelectFamily: addresses.length > 1,
    });
    const timer = setTimeout(
      () => fail(new OutgoingError('timeout', place, `it took more than ${timeoutMs} ms`)),
      timeoutMs,
    );
    const onAbort = () => fail(new OutgoingError('canceled', place, 'the caller gave up'));
    const onError = (error: Error) => fail(toOutgoingError(error, place));
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.off('error', onError);
    };
    const fail = (error: OutgoingError) => {
      end();
      socket.on('error', () => {}).destroy();
      reject(error);
    };
    socket.on('error', onError);
    socket.once('connect', () => {
      end();
      resolve(socket);
    });
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}
