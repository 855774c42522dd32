import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * Sends bytes unchanged and resolves with all received text once the server closes the connection. For connections
 * that stay open, it resolves once `until` has been received.
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
      // The server may close the connection before it has read everything; its earlier answer counts.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') finish();
      else reject(error);
    });
    socket.write(message);
  });
}

/** Sends bytes, ends the sending side, and resolves with all text received until the connection is closed. */
export function sendAndEnd(port: number, message: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('end', () => {
      socket.destroy();
      resolve(received);
    });
    socket.on('error', reject);
    socket.end(message);
  });
}

/**
 * Sends messages over one connection, each after the head of the previous answer, and resolves with the answer to
 * each.
 */
export async function sendInTurn(port: number, messages: readonly string[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('latin1');
  const answers: string[] = [];
  for (const message of messages) {
    socket.write(message);
    let answer = '';
    while (!answer.includes('\r\n\r\n')) {
      const [chunk] = await once(socket, 'data');
      answer += String(chunk);
    }
    answers.push(answer);
  }
  socket.destroy();
  return answers;
}

/** A request head with CRLF line ends. */
export function requestHead(...lines: readonly string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`;
}
