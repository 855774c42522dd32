import { connect } from 'node:net';

/**
 * Sends bytes as they are and answers with all that comes back until the server closes the connection, or, for
 * connections that stay open, until `until` has come.
 */
export function sendRaw(port: number, message: string | Uint8Array, until?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const finish = (): void => {
      socket.destroy();
      resolve(received);
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received += chunk;
      if (until !== undefined && received.includes(until)) finish();
    });
    socket.on('close', finish);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close while bytes are still on their way to it; what it said before counts.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') finish();
      else reject(error);
    });
    socket.write(message);
  });
}

/** A request head with CRLF line ends. */
export function requestHead(...lines: readonly string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`;
}
