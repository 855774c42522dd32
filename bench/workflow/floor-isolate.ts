/** Runs a function in an isolate on every line of what comes in, and sends back what it has made of a packet at once. */
import { readSync, writeSync } from 'node:fs';
import ivm from 'isolated-vm';
import { PacketReader, packetBytes } from '../../server/processes/sandbox/packets.ts';

const channel = 3;
const context = new ivm.Isolate().createContextSync();
const run: ivm.Reference = context.evalClosureSync(
  `return (packet) => packet.split('\\n').map((text) => {
    const payload = JSON.parse(text);
    const total = payload.prices.reduce((sum, price) => sum + price, 0);
    return JSON.stringify({ ...payload, total });
  }).join('\\n')`,
  [],
  { result: { reference: true } },
);
const reader = new PacketReader();
const piece = Buffer.allocUnsafeSlow(256 * 1024);
for (;;) {
  const length = readSync(channel, piece, 0, piece.length, null);
  if (length === 0) break;
  for (const packet of reader.read(piece.subarray(0, length))) {
    const bytes = packetBytes(String(run.applySync(undefined, [packet])));
    for (let at = 0; at < bytes.length; ) at += writeSync(channel, bytes, at);
  }
}
