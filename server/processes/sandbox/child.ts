/**
 * Code of a sandbox process. It does one thing after the other: waits for bytes, runs the authors' code, writes
 * what came of it. It has no event loop that code could use, no environment, and no other file open than its
 * channel; it ends when the server closes the channel.
 */
import { readSync, writeSync } from 'node:fs';
import { outOfMemoryExit } from '../supervised-process.ts';
import type { RunLimits } from './model.ts';
import type { CheckedPacket, CodePacket } from './packets.ts';
import { PacketReader, packetBytes } from './packets.ts';
import { Realm } from './realm.ts';

const channel = 3;

serve(JSON.parse(process.argv[2] ?? ''));

function serve(limits: RunLimits): void {
  // A signal of the terminal is for the server, which may still need runs while it finishes.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  const realm = new Realm(limits, write);
  const reader = new PacketReader();
  const piece = Buffer.allocUnsafeSlow(256 * 1024);
  write('D[]');
  for (;;) {
    const length = readSync(channel, piece, 0, piece.length, null);
    if (length === 0) return;
    for (const packet of reader.read(piece.subarray(0, length))) take(realm, packet);
  }
}

function take(realm: Realm, packet: string): void {
  try {
    if (packet[0] === 'R') runTurns(realm, packet);
    else takeCode(realm, JSON.parse(packet.slice(1)));
  } catch (error) {
    if (realm.isAlive) throw error;
    process.exit(outOfMemoryExit);
  }
}

function runTurns(realm: Realm, packet: string): void {
  for (let next = packet; ; next = '') {
    const answer = realm.turn(next);
    if (answer.length > 1) write(answer.slice(1));
    if (answer[0] === '0') return;
  }
}

function takeCode(realm: Realm, { codes = [], dropped = [], checks = [] }: CodePacket): void {
  for (const code of dropped) realm.drop(code);
  for (const [code, text] of codes) realm.compile(code, text);
  if (checks.length === 0) return;
  const checked: CheckedPacket = checks.map(([check, text]) => [check, realm.check(text) ?? null]);
  write(`D${JSON.stringify(checked)}`);
}

function write(packet: string): void {
  const bytes = packetBytes(packet);
  for (let at = 0; at < bytes.length; ) at += writeSync(channel, bytes, at);
}
