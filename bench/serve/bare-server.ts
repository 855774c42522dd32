import * as uWS from 'uWebSockets.js';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Type from 'typebox';
import { Value } from 'typebox/value';

/**
 * A server that gives every address its prepared answer and looks at nothing else, run as a process of its own:
 * `node bare-server.ts <uws | node> <file with the answers>`.
 */
const Answers = Type.Array(
  Type.Object({
    path: Type.String(),
    status: Type.Integer(),
    statusText: Type.String(),
    headers: Type.Array(Type.Tuple([Type.String(), Type.String()])),
    body: Type.String(),
  }),
);

const [kind = '', file = ''] = process.argv.slice(2);
const answers = new Map(
  Value.Parse(Answers, JSON.parse(readFileSync(file, 'utf8'))).map((answer) => [
    answer.path,
    { ...answer, body: Buffer.from(answer.body, 'base64') },
  ]),
);

if (kind === 'uws') listenUws();
else if (kind === 'node') listenNode();
else throw new Error(`unknown kind of server "${kind}"`);

/** All headers in one call, which is the fastest way that the library has. */
function listenUws(): void {
  const heads = new Map(
    [...answers].map(([path, { status, statusText, headers, body }]) => [
      path,
      {
        head: [`${status} ${statusText}`, ...headers.map(([name, value]) => `${name}: ${value}`)].join(
          '\r\n',
        ),
        status,
        body,
      },
    ]),
  );
  const app = uWS.App();
  app.any('/*', (response, request) => {
    const answer = heads.get(request.getUrl());
    if (answer === undefined) response.writeStatus('500 Unknown').end();
    else if (answer.status === 304) response.writeStatus(answer.head).endWithoutBody();
    else response.writeStatus(answer.head).end(answer.body);
  });
  app.listen('127.0.0.1', 0, (socket) => {
    if (socket === false) throw new Error('no port to listen on');
    announce(uWS.us_socket_local_port(socket));
  });
}

function listenNode(): void {
  const server = createServer((request, response) => {
    const answer = answers.get(request.url ?? '');
    if (answer === undefined) {
      response.writeHead(500).end();
      return;
    }
    const { status, headers, body } = answer;
    const length = status === 304 ? [] : ['Content-Length', String(body.length)];
    response.writeHead(status, [...headers.flat(), ...length]);
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port));
}

function announce(port: number): void {
  console.log(`listening on http://127.0.0.1:${port}`);
}
