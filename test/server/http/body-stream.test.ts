import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BodyStream } from '../../../server/http/body/incoming.ts';
import { makeTempDir } from '../../support/server.ts';

let folder: string;
let files = 0;
beforeAll(() => {
  folder = makeTempDir();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A sender that does as it is told, or goes on for a while as uWebSockets.js does. */
function sender() {
  const calls: string[] = [];
  const body = new BodyStream({
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
    spillPath: () => join(folder, `spill-${files++}`),
  });
  return { body, calls };
}

describe('the body of a request while it arrives', () => {
  it('is the same whether or not the sender waits, and leaves no file', async () => {
    const chunks = fc.array(fc.nat({ max: 150_000 }), { maxLength: 12 });
    // After how many chunks in one turn the next chunk waits for a turn.
    const perTurn = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(chunks, perTurn, async (sizes, turns) => {
        const { body } = sender();
        const sent = sizes.map((size, index) => Buffer.alloc(size, index + 1));
        const received = buffer(body);
        let left = turns[0] ?? 1;
        for (const [index, chunk] of sent.entries()) {
          // The bytes are valid during the call only.
          const lent = Uint8Array.from(chunk);
          body.arrive(lent, index === sent.length - 1);
          lent.fill(0);
          if (--left > 0) continue;
          left = turns[index % turns.length] ?? 1;
          await new Promise((resolve) => setImmediate(resolve));
        }
        if (sent.length === 0) body.arrive(new Uint8Array(), true);
        expect(Buffer.compare(await received, Buffer.concat(sent))).toBe(0);
        expect(readdirSync(folder)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('does not let the sender go on after a body that is complete', async () => {
    const { body, calls } = sender();
    body.arrive(new Uint8Array(200_000), false);
    body.arrive(new Uint8Array(200_000), true);
    expect((await buffer(body)).length).toBe(400_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect([body.destroyed, calls]).toEqual([true, ['pause']]);
  });

  it('holds little in memory of what comes although the sender should wait', () => {
    const { body, calls } = sender();
    const chunk = new Uint8Array(512 * 2 ** 10);
    for (let count = 0; count < 20; count++) body.arrive(chunk, false);
    expect(calls).toEqual(['pause']);
    expect(body.readableLength).toBe(chunk.length);
    body.destroy();
  });

  it('lets the sender go on when everything has been read', async () => {
    const { body, calls } = sender();
    for (let count = 0; count < 3; count++) body.arrive(new Uint8Array(100_000), false);
    let received = 0;
    for await (const part of body) {
      received += part.length;
      if (received === 300_000) break;
    }
    expect(calls.slice(0, 2)).toEqual(['pause', 'resume']);
  });

  it('fails with the error of the file system', async () => {
    const body = new BodyStream({
      pause() {},
      resume() {},
      spillPath: () => join(folder, 'no-such-folder', 'file'),
    });
    body.arrive(new Uint8Array(100_000), false);
    body.arrive(new Uint8Array(100_000), true);
    await expect(buffer(body)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
