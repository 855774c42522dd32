import * as uWS from 'uWebSockets.js';
import { readFileSync } from 'node:fs';
import Type from 'typebox';
import { Value } from 'typebox/value';

/**
 * A server that does only the JSON work that any API must do, run as a process of its own: GET writes a value
 * from memory as JSON, PUT parses the body and writes the value with the new fields. No storage, no checks.
 * `node bare-server.ts <file with the values>`.
 */
const Values = Type.Record(Type.String(), Type.Unknown());

const values = Value.Parse(Values, JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));

const app = uWS.App();
app.get('/*', (response, request) => {
  answer(response, values[request.getUrl()]);
});
app.put('/*', (response, request) => {
  const value = values[request.getUrl()];
  const chunks: Buffer[] = [];
  response.onAborted(() => undefined);
  response.onData((chunk, isLast) => {
    chunks.push(Buffer.from(new Uint8Array(chunk)));
    if (!isLast) return;
    const fields: unknown = JSON.parse(Buffer.concat(chunks).toString());
    answer(response, Object.assign({}, value, fields));
  });
});
app.listen('127.0.0.1', 0, (socket) => {
  if (socket === false) throw new Error('no port to listen on');
  console.log(`listening on http://127.0.0.1:${uWS.us_socket_local_port(socket)}`);
});

function answer(response: uWS.HttpResponse, value: unknown): void {
  response.cork(() => {
    response.writeHeader('Content-Type', 'application/json; charset=utf-8');
    response.end(JSON.stringify(value));
  });
}
