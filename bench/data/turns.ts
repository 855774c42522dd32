import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import Type from 'typebox';
import { Value } from 'typebox/value';

const Turns = Type.Object({ elapsedMs: Type.Number(), cpuMs: Type.Number() });

/** The longest turn of an event loop: by the clock, with all waiting, and in processor time of its thread. */
export type Turns = Type.Static<typeof Turns>;

/** Flags of Node.js for a server whose turns are watched; it needs the socket as `TURNS_SOCKET`. */
export const watchTurns = ['--import', fileURLToPath(new URL('./turns-of-server.ts', import.meta.url))];

/** The longest turn since this was asked for last. */
export async function longestTurn(socketPath: string): Promise<Turns> {
  const response = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
    request({ socketPath }, resolve).on('error', reject).end();
  });
  return Value.Parse(Turns, JSON.parse(await text(response)));
}
