import * as uWS from 'uWebSockets.js';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import Type from 'typebox';
import { Value } from 'typebox/value';

/**
 * A server that gives every address its prepared answer and looks at nothing else, run as a process of its own:
 * `node bare-server.ts <uws | uws-threads | node> <file with the answers>`.
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

/** How many threads answer in `uws-threads`. */
const threads = 2;

const kinds: Readonly<Record<string, () => unknown>> = {
  uws: listenUws,
  'uws-threads': listenUwsThreads,
  node: listenNode,
};
const listen = kinds[kind];
if (listen === undefined) throw new Error(`unknown kind of server "${kind}"`);
if (isMainThread) await listen();
else tellDescriptor(answeringApp());

/** The method exists but is missing in the library's types. An app that does not listen keeps no thread alive. */
function tellDescriptor(app: uWS.TemplatedApp): void {
  parentPort?.on('message', () => {});
  parentPort?.postMessage(Reflect.apply(Reflect.get(app, 'getDescriptor'), app, []));
}

function listenUws(): void {
  announceApp(answeringApp());
}

/** One thread accepts the connections and hands them to the others, as in the server that is compared. */
async function listenUwsThreads(): Promise<void> {
  const acceptor = uWS.App();
  const workers = Array.from(
    { length: threads },
    () => new Worker(new URL(import.meta.url), { argv: process.argv.slice(2) }),
  );
  const descriptors = await Promise.all(workers.map((worker) => once(worker, 'message')));
  for (const descriptor of descriptors)
    Reflect.apply(Reflect.get(acceptor, 'addChildAppDescriptor'), acceptor, descriptor);
  announceApp(acceptor);
}

/** All headers in one call, which is the fastest way that the library has. */
function answeringApp(): uWS.TemplatedApp {
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
  return app;
}

function announceApp(app: uWS.TemplatedApp): void {
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
