import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callList, callOk, outcomeOf } from '../support/api.ts';
import { freshName, idOf } from '../support/content.ts';
import { uploadText } from '../support/folder-media.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** New bytes for a file as an operation of batches and change sets, so that a push is one commit. */

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** A file with an old text, and another one with the new text. */
async function prepare(): Promise<{ file: number; other: number; url: string }> {
  const name = `${freshName('file')}.txt`;
  const file = await uploadText(server, name, 'old');
  const other = await uploadText(server, name, 'new');
  const { url } = await callOk(server, 'GET', `/files/${file}`);
  return { file, other, url: String(url) };
}

const text = async (url: string) => (await fetch(server.url + url)).text();
const replace = (id: number, other: unknown) => ({
  ...{ op: 'replace', kind: 'file', id, data: { file_id: other } },
});
const batch = (ops: readonly object[], query = '') =>
  call(server, 'POST', `/batch${query}`, { body: { ops } });
const newSet = async () => idOf(await callOk(server, 'POST', '/change-sets', { name: freshName('set') }));

describe('replace in a batch', () => {
  it('gives a file the bytes of another one, which goes to the trash with the bytes from before', async () => {
    const { file, other, url } = await prepare();
    const { updated_at: before } = await callOk(server, 'GET', `/files/${file}`);
    expect(await batch([replace(file, other)])).toMatchObject({ status: 200 });
    expect(await text(url)).toBe('new');
    const after = await callOk(server, 'GET', `/files/${file}`);
    expect(after).toMatchObject({ url, size: 3 });
    expect(Number(after['updated_at'])).toBeGreaterThan(Number(before));
    expect((await call(server, 'GET', `/files/${other}`)).status).toBe(404);
    const [entry] = (await callList(server, '/trash?kind=file')).filter(({ object_id: id }) => id === other);
    await callOk(server, 'POST', `/trash/${entry?.['id']}/restore`, {});
    const restored = await callOk(server, 'GET', `/files/${other}`);
    expect(await text(String(restored['url']))).toBe('old');
    expect(await text(url)).toBe('new');
  });

  it.each([0, 'x', null, 987_654])('refuses file_id %j', async (other) => {
    const { file, url } = await prepare();
    expect(await batch([replace(file, other)])).toMatchObject({
      status: 400,
      body: { code: 'common.invalid', params: { index: 0, field: 'file_id' } },
    });
    expect(await text(url)).toBe('old');
  });

  it('refuses the file itself, and other kinds', async () => {
    const { file } = await prepare();
    expect(outcomeOf(await batch([replace(file, file)]))).toEqual({ status: 400, code: 'common.invalid' });
    expect(outcomeOf(await batch([{ ...replace(file, file), kind: 'page' }]))).toEqual({
      status: 400,
      code: 'batch.opNotSupported',
    });
  });
});

describe('replace in a change set', () => {
  it('changes nothing until it is published, and keeps the other file in use', async () => {
    const { file, other, url } = await prepare();
    const set = await newSet();
    expect(await batch([replace(file, other)], `?change_set=${set}`)).toMatchObject({ status: 200 });
    expect(await text(url)).toBe('old');
    expect(await callList(server, `/change-sets/${set}/items`)).toMatchObject([
      { kind: 'file', id: file, op: 'update', fields: ['content'], conflicts: [] },
    ]);
    expect(outcomeOf(await call(server, 'DELETE', `/files/${other}?if_unused=1`))).toEqual({
      status: 409,
      code: 'common.inUse',
    });
    await callOk(server, 'POST', `/change-sets/${set}/publish`);
    expect(await text(url)).toBe('new');
    expect((await call(server, 'GET', `/files/${other}`)).status).toBe(404);
  });

  it('is a conflict if the bytes were replaced live', async () => {
    for (const [choice, wanted] of [
      ['mine', 'new'],
      ['live', 'live'],
    ] as const) {
      const { file, other, url } = await prepare();
      const set = await newSet();
      await batch([replace(file, other)], `?change_set=${set}`);
      const third = await uploadText(server, `${freshName('file')}.txt`, 'live');
      await batch([replace(file, third)]);
      expect(await call(server, 'POST', `/change-sets/${set}/publish`)).toMatchObject({
        status: 409,
        body: {
          code: 'changeset.conflict',
          params: { conflicts: [{ kind: 'file', id: file, field: 'content' }] },
        },
      });
      expect(await text(url)).toBe('live');
      const resolve = { [`file:${file}`]: { content: choice } };
      await callOk(server, 'POST', `/change-sets/${set}/publish`, { resolve });
      expect(await text(url)).toBe(wanted);
    }
  });
});
