import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A self-signed certificate for localhost. */
export const tlsFixture = (name: 'cert' | 'key') =>
  readFileSync(fileURLToPath(new URL(`../conformance/fixtures/tls/${name}.pem`, import.meta.url)), 'utf8');

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Name and password that the client has logged in with. */
  readonly login: string | undefined;
  readonly isSecure: boolean;
  /** The mail as it was sent. */
  readonly raw: string;
}

export interface SmtpReceiver {
  readonly port: number;
  readonly received: ReceivedMail[];
  /** Everything clients have logged in with, also where it was refused. */
  readonly logins: string[];
  close(): Promise<void>;
}

/** An SMTP server on this machine that keeps what it is sent. It refuses recipients that begin with `refused`. */
export async function startSmtp(options: SMTPServerOptions = {}): Promise<SmtpReceiver> {
  const received: ReceivedMail[] = [];
  const logins: string[] = [];
  const server = new SMTPServer({
    key: tlsFixture('key'),
    cert: tlsFixture('cert'),
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 1,
    onAuth({ username, password }, _session, done) {
      logins.push(`${username} ${password}`);
      if (password === 'wrong') done(new Error(`Invalid credentials ${password}`));
      else done(null, { user: `${username} ${password}` });
    },
    onRcptTo({ address }, _session, done) {
      done(address.startsWith('refused') ? new Error('User unknown') : undefined);
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          login: session.user || undefined,
          isSecure: session.secure,
          raw: Buffer.concat(chunks).toString('latin1'),
        });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  // Type boundary: a server that listens on a port.
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    received,
    logins,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((closed) => server.close(closed));
    },
  };
}

/** The text of a mail whose body is one part. */
export function bodyOf({ raw }: ReceivedMail): string {
  const body = raw.slice(raw.indexOf('\r\n\r\n') + 4);
  return /^Content-Transfer-Encoding: base64\r$/m.test(raw) ? Buffer.from(body, 'base64').toString() : body;
}
