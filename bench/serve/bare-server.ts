import * as uWS from 'uWebSockets.js';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Type from 'typebox';
import { Value } from 'typebox/value';

/**
 * A server that gives every request the same prepared answer, run as a process of its own:
 * `node bare-server.ts <uws | node> <file with the answer>`.
 */
const Answer = Type.Object({
  headers: Type.Array(Type.Tuple([Type.String(), Type.String()])),
  body: Type.String(),
});

const [kind = '', file = ''] = process.argv.slice(2);
const { headers, body: encodedBody } = Value.Parse(Answer, JSON.parse(readFileSync(file, 'utf8')));
const body = Buffer.from(encodedBody, 'base64');

if (kind === 'uws') listenUws();
else if (kind === 'node') listenNode();
else throw new Error(`unknown kind of server "${kind}"`);

function listenUws(): void {
  const app = uWS.App();
  app.any('/*', (response) => {
    response.cork(() => {
      for (const [name, value] of headers) response.writeHeader(name, value);
      response.end(body);
    });
  });
  app.listen('127.0.0.1', 0, (socket) => {
    if (socket === false) throw new Error('no port to listen on');
    announce(uWS.us_socket_local_port(socket));
  });
}

function listenNode(): void {
  const server = createServer((_request, response) => {
    response.writeHead(200, [...headers.flat(), 'Content-Length', String(body.length)]);
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port));
}

function announce(port: number): void {
  console.log(`listening on http://127.0.0.1:${port}`);
}
