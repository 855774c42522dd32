/**
 * What the parts of a workflow cost at least on this machine, run as a process of its own: uWebSockets.js takes a POST
 * of JSON, and answers with what a function makes of it. At `/sum` the function runs in an isolate of another process
 * (`floor-isolate.ts`); all requests of a turn of the event loop go there in one write. There is no workflow, no log,
 * no limit and no other path.
 */

import * as uWS from 'uWebSockets.js';
import { spawn } from 'node:child_process';
import { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { PacketReader, packetBytes } from '../../server/processes/sandbox/packets.ts';

const head = '200 OK\r\nContent-Type: application/json; charset=utf-8';
const reader = new PacketReader();
const isolate = startIsolate();
/** Those who wait for the isolate, in order. */
const waiting: ((text: string) => void)[] = [];
let texts: string[] = [];

const app = uWS.App();
app.post('/*', (res, req) => {
  const inIsolate = req.getUrl() === '/sum';
  let isGone = false;
  const answer = (text: string): void => {
    if (!isGone) res.cork(() => res.writeStatus(head).end(text));
  };
  res.onAborted(() => {
    isGone = true;
  });
  res.onData((chunk) => {
    const text = Buffer.from(chunk).toString();
    if (inIsolate) run(text, answer);
    else answer(JSON.stringify(JSON.parse(text)));
  });
});
app.listen('127.0.0.1', 0, (socket) => {
  if (socket === false) throw new Error('no port to listen on');
  console.log(`listening on http://127.0.0.1:${uWS.us_socket_local_port(socket)}`);
});

function run(text: string, answer: (text: string) => void): void {
  if (texts.length === 0)
    setImmediate(() => {
      isolate.write(packetBytes(texts.join('\n')));
      texts = [];
    });
  texts.push(text);
  waiting.push(answer);
}

function startIsolate(): Duplex {
  const file = fileURLToPath(new URL('floor-isolate.ts', import.meta.url));
  const { stdio } = spawn(process.execPath, ['--no-node-snapshot', file], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const channel = stdio[3];
  if (!(channel instanceof Duplex)) throw new Error('the process has no channel');
  channel.on('data', (piece: Buffer) => {
    for (const packet of reader.read(piece)) for (const text of packet.split('\n')) waiting.shift()?.(text);
  });
  return channel;
}
