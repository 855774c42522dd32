/**
 * Uploads and slow readers: nothing is lost, nothing is left behind, and memory does not grow with the size of what
 * is sent. More: `UPLOAD_ROUNDS=10 SLOW_READERS=1000 npx vitest run test/faults/uploads.test.ts`.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, callList } from '../support/api.ts';
import { draw, upload } from '../support/media.ts';
import { requestHead } from '../support/raw.ts';
import { makeTempDir, masterToken, startServer, type TestServer } from '../support/server.ts';

const uploads = Number(process.env['UPLOADS'] ?? 100);
const rounds = Number(process.env['UPLOAD_ROUNDS'] ?? 1);
const largeMb = Number(process.env['UPLOAD_MB'] ?? 300);
/** Growth that does not depend on the size of the file. It is 25 to 40 MB: buffers that are not collected yet. */
const maxGrowthMb = 64;
const slowReaders = Number(process.env['SLOW_READERS'] ?? 300);

describe(`${uploads} parallel uploads`, () => {
  const dataDir = makeTempDir();
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  it('and kill -9: every acknowledged file is whole, no row without its bytes, no bytes without a row', async () => {
    const photo = await draw({ width: 500, height: 300 });
    const contents = Array.from({ length: uploads }, (_, index) =>
      index % 20 === 0
        ? Buffer.concat([photo, Buffer.from(`${index}`)])
        : Buffer.alloc(150_000 + index, `${index} `),
    );
    const known = new Set(contents.map(hashOf));
    const acknowledged: Acknowledged[] = [];
    for (let round = 0; round < rounds; round++) {
      acknowledged.push(...(await killDuringUploads(dataDir, contents, 1 + ((round * 17 + 30) % uploads))));
      const server = await startServer({ dataDir });
      try {
        for (const { path, hash } of acknowledged) expect(await hashAt(server, path)).toBe(hash);
        const files = await listAll(server);
        expect(files.length).toBeGreaterThanOrEqual(acknowledged.length);
        for (const { path } of files) expect(known.has(await hashAt(server, path))).toBe(true);
        // The sweep and the rest of the variants run in the background after the start.
        await expect.poll(() => originalsIn(dataDir).length, { timeout: 20_000 }).toBe(files.length);
        await expect.poll(() => stagedIn(dataDir), { timeout: 20_000 }).toEqual([]);
      } finally {
        await server.end('SIGTERM');
      }
    }
  });

  it('all arrive', async () => {
    const server = await startServer({ dataDir });
    try {
      const contents = Array.from({ length: uploads }, (_, index) => Buffer.alloc(200_000, `all ${index} `));
      const answers = await Promise.all(
        contents.map((bytes, index) => upload(server, [{ name: `all-${index}.txt`, bytes }])),
      );
      for (const [index, { status, body }] of answers.entries()) {
        expect(status).toBe(201);
        const bytes = contents[index] ?? Buffer.alloc(0);
        expect(await hashAt(server, String(asRecord(body)['path']))).toBe(hashOf(bytes));
      }
    } finally {
      await server.end('SIGTERM');
    }
  });
});

it('1,000 uploads that are broken off leave nothing', async () => {
  const server = await startServer();
  try {
    const begin = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
    const head = requestHead(
      'POST /api/v1/files HTTP/1.1',
      `Host: 127.0.0.1:${server.port}`,
      `Authorization: Bearer ${masterToken}`,
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 900000',
    );
    const message = head + begin + 'y'.repeat(80_000);
    const open = server.descriptors();
    for (let round = 0; round < 20; round++)
      await Promise.all(Array.from({ length: 50 }, () => breakOff(server.port, message)));
    await expect.poll(() => stagedIn(server.dataDir), { timeout: 10_000 }).toEqual([]);
    expect(originalsIn(server.dataDir)).toEqual([]);
    if (open !== undefined)
      await expect.poll(() => server.descriptors(), { timeout: 10_000 }).toBeLessThan(open + 10);
    expect((await upload(server, [{ name: 'after.txt', bytes: 'x' }])).status).toBe(201);
  } finally {
    await server.stop();
  }
});

async function breakOff(port: number, message: string): Promise<void> {
  const socket = connect(port, '127.0.0.1', () => socket.write(message, () => socket.destroy()));
  socket.on('error', () => {});
  await once(socket, 'close');
}

interface Acknowledged {
  readonly path: string;
  readonly hash: string;
}

/** Sends all contents at once and kills the server after some answers. Resolves with what was answered. */
async function killDuringUploads(
  dataDir: string,
  contents: readonly Buffer[],
  answersBefore: number,
): Promise<Acknowledged[]> {
  const server = await startServer({ dataDir });
  const acknowledged: Acknowledged[] = [];
  await Promise.allSettled(
    contents.map(async (bytes, index) => {
      const { status, body } = await upload(server, [
        { name: `${index}.${index % 4 === 0 ? 'jpg' : 'txt'}`, bytes },
      ]);
      if (status !== 201) return;
      acknowledged.push({ path: String(asRecord(body)['path']), hash: hashOf(bytes) });
      if (acknowledged.length === answersBefore) await server.end('SIGKILL');
    }),
  );
  await server.end('SIGKILL');
  return acknowledged;
}

async function listAll(server: TestServer): Promise<{ id: unknown; path: string }[]> {
  const files = await callList(server, '/files?limit=1000');
  return files.map(({ id, path }) => ({ id, path: String(path) }));
}

function originalsIn(dataDir: string): string[] {
  return readdirSync(join(dataDir, 'media'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('/original'),
  );
}

function stagedIn(dataDir: string): string[] {
  return readdirSync(join(dataDir, 'media', '.staging'));
}

async function hashAt(server: TestServer, path: string): Promise<string> {
  const answer = await fetch(`${server.url}/media/${path}`);
  expect([path, answer.status]).toEqual([path, 200]);
  return hashOf(Buffer.from(await answer.arrayBuffer()));
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

describe('memory', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ args: ['-max-upload-mb', String(largeMb)] });
    // What every server needs is there before anything is measured.
    await upload(server, [{ name: 'first.txt', bytes: 'x'.repeat(5_000_000) }]);
    await fetch(`${server.url}/media/first.txt`).then((answer) => answer.arrayBuffer());
  });
  afterAll(() => server.stop());

  it(`does not grow with the file while one of ${largeMb} MB comes in`, async () => {
    const before = server.resetPeak();
    expect(await sendLarge(largeMb * 2 ** 20)).toBe(201);
    if (before !== undefined) expect((server.peakMb() ?? 0) - before).toBeLessThan(maxGrowthMb);
  });

  it('nor while it goes out', async () => {
    const before = server.resetPeak();
    const answer = await fetch(`${server.url}/media/large.txt`);
    let received = 0;
    if (answer.body !== null) for await (const part of answer.body) received += part.length;
    expect(received).toBe(largeMb * 2 ** 20);
    if (before !== undefined) expect((server.peakMb() ?? 0) - before).toBeLessThan(maxGrowthMb);
  });

  it(`of ${slowReaders} readers that do not read stays small, and other requests are answered`, async () => {
    const before = server.resetPeak();
    const open = server.descriptors() ?? 0;
    const readers = await Promise.all(Array.from({ length: slowReaders }, () => openReader(server.port)));
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    // The objects of a connection and of its file. Bytes that are not taken are read again later.
    const allowed = 16 + (slowReaders * 32) / 1024;
    if (before !== undefined) expect((server.peakMb() ?? 0) - before).toBeLessThan(allowed);
    for (const reader of readers) reader.destroy();
    // Their files are closed with them. A few connections of other requests may stay.
    if (open > 0) await expect.poll(() => server.descriptors(), { timeout: 10_000 }).toBeLessThan(open + 20);
    const answer = await fetch(`${server.url}/media/first.txt`);
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, 5_000_000]);
  });

  async function sendLarge(size: number): Promise<number> {
    const begin = '--x\r\nContent-Disposition: form-data; name="file"; filename="large.txt"\r\n\r\n';
    const end = '\r\n--x--\r\n';
    const sending = request(`${server.url}/api/v1/files`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${masterToken}`,
        'Content-Type': 'multipart/form-data; boundary=x',
        'Content-Length': begin.length + size + end.length,
      },
    });
    const answered = once(sending, 'response');
    const part = Buffer.alloc(2 ** 20, 'incipit ');
    sending.write(begin);
    for (let sent = 0; sent < size; sent += part.length)
      if (!sending.write(part)) await once(sending, 'drain');
    sending.end(end);
    const [response] = await answered;
    response.resume();
    return response.statusCode;
  }
});

/** Asks for the large file and reads nothing but the beginning of the answer. */
async function openReader(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(requestHead('GET /media/large.txt HTTP/1.1', `Host: 127.0.0.1:${port}`));
  await once(socket, 'readable');
  return socket;
}
