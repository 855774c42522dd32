import { existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SpillFile } from '../../../server/http/body/incoming.ts';
import { Staging } from '../../../server/storage/staging.ts';
import { asRecord, call, callList } from '../../support/api.ts';
import { type InProcessServer, startInProcess } from '../../support/in-process.ts';
import { draw, upload, uploadOne } from '../../support/media.ts';

let server: InProcessServer | undefined;
let dataDir = '';
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await server?.stop();
  server = undefined;
});

async function start(options: { readonly imageWorkerFile?: string } = {}): Promise<InProcessServer> {
  server = await startInProcess({
    ...options,
    prepare: (folder) => {
      dataDir = folder;
    },
  });
  return server;
}

const contentsIn = () =>
  readdirSync(join(dataDir, 'media'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('/original'),
  );

/** Every write to this device fails with the error of a full disk. */
const full = openSync('/dev/full', 'w');

describe('a full disk', () => {
  const refused = { status: 507, body: { code: 'common.storageFull' } };

  it('refuses an upload with 507 and keeps nothing of it', async () => {
    const { url } = await start();
    const create = Staging.prototype.create;
    vi.spyOn(Staging.prototype, 'create').mockImplementation(async function (this: Staging) {
      const writer = await create.call(this);
      return { ...writer, write: async (bytes) => void writeSync(full, bytes) };
    });
    expect(await upload({ url }, [{ name: 'a.txt', bytes: 'x' }])).toMatchObject(refused);
    vi.restoreAllMocks();
    expect(await callList({ url }, '/files')).toEqual([]);
    expect([contentsIn(), readdirSync(join(dataDir, 'media', '.staging'))]).toEqual([[], []]);
    expect((await upload({ url }, [{ name: 'a.txt', bytes: 'x' }])).status).toBe(201);
  });

  it('also where it is full of what comes faster than it is stored', async () => {
    const { url } = await start();
    vi.spyOn(SpillFile.prototype, 'append').mockImplementation((bytes) => void writeSync(full, bytes));
    const bytes = Buffer.alloc(30 * 2 ** 20);
    expect(await upload({ url }, [{ name: 'a.bin', bytes }])).toMatchObject(refused);
    expect([contentsIn(), readdirSync(join(dataDir, 'media', '.staging'))]).toEqual([[], []]);
  });
});

describe('an image process that dies of an image', () => {
  it('is tried twice; then the image has no variants, which it tells, and its original is served', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'incipit-test-'));
    const attemptsFile = join(folder, 'attempts');
    vi.stubEnv('IMAGE_ATTEMPTS_FILE', attemptsFile);
    const attempts = () => (existsSync(attemptsFile) ? readFileSync(attemptsFile, 'utf8') : '');
    const imageWorkerFile = fileURLToPath(new URL('../../support/deadly-image-worker.ts', import.meta.url));
    const { url } = await start({ imageWorkerFile });
    const bytes = await draw({ width: 800, height: 400 });
    const { id } = await uploadOne({ url }, 'bad.jpg', bytes);
    const shown = async () => asRecord((await call({ url }, 'GET', `/files/${id}`)).body);
    await expect.poll(async () => (await shown())['variants'], { timeout: 10_000 }).toBe('failed');
    expect(attempts()).toBe('xx');
    expect(await shown()).toMatchObject({ srcset: '/media/bad.jpg 800w', webp_srcset: '' });
    const answer = await fetch(`${url}/media/bad.jpg`);
    expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), bytes)).toBe(0);
    for (const query of ['?w=320', '?thumb=20x20'])
      await (await fetch(`${url}/media/bad.jpg${query}`)).text();
    expect(attempts()).toBe('xx');
    rmSync(folder, { recursive: true, force: true });
  });

  it('of a crop only is not asked for this crop again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'incipit-test-'));
    const attemptsFile = join(folder, 'attempts');
    vi.stubEnv('IMAGE_ATTEMPTS_FILE', attemptsFile);
    vi.stubEnv('IMAGE_DEADLY', 'crops');
    const imageWorkerFile = fileURLToPath(new URL('../../support/deadly-image-worker.ts', import.meta.url));
    const { url } = await start({ imageWorkerFile });
    const bytes = await draw({ width: 800, height: 400 });
    await uploadOne({ url }, 'good.jpg', bytes);
    const sizeOf = async (query: string) =>
      (await (await fetch(`${url}/media/good.jpg${query}`)).arrayBuffer()).byteLength;
    expect(await sizeOf('?w=320')).toBeLessThan(bytes.length);
    for (let count = 0; count < 3; count++) expect(await sizeOf('?thumb=20x20')).toBe(bytes.length);
    expect(readFileSync(attemptsFile, 'utf8')).toBe('xx');
    rmSync(folder, { recursive: true, force: true });
  });
});
