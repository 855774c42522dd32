import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Commit } from '../../server/changes/record.ts';
import { openDatabases } from '../../server/db/open.ts';
import { call, callList, callOk } from '../support/api.ts';
import { notesFeature } from '../support/imaginary-kind/index.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';

/** The features that a kind of object gets from its declaration alone (`test/support/imaginary-kind`). */

const migration = join(import.meta.dirname, '../support/imaginary-kind/9000-notes.sql');

let server: InProcessServer;
const commits: Commit[] = [];

beforeAll(async () => {
  server = await startInProcess({
    prepare: addNotesTable,
    moreFeatures: () => [
      notesFeature(),
      { followers: [{ of: 'content', react: (list) => void commits.push(...list) }] },
    ],
  });
});
afterAll(() => server.stop());

function addNotesTable(dataDir: string): void {
  const databases = openDatabases(dataDir, 100);
  databases.content.writer.execute(readFileSync(migration, 'utf8'));
  databases.close();
}

async function createNote(fields: object = {}): Promise<Record<string, unknown>> {
  return callOk(server, 'POST', '/notes', { title: 'One', ...fields });
}

describe('a declared kind', () => {
  it('is created, read, listed, changed and deleted', async () => {
    const created = await call(server, 'POST', '/notes', { body: { title: 'First', tags: ['a'] } });
    expect(created).toMatchObject({ status: 201, body: { title: 'First', pinned: false, tags: ['a'] } });
    const { id } = await createNote();
    expect(await callOk(server, 'GET', `/notes/${id}`)).toMatchObject({ id, title: 'One', tags: null });
    expect((await callList(server, '/notes')).map(({ title }) => title)).toEqual(['First', 'One']);
    expect(await callOk(server, 'PUT', `/notes/${id}`, { pinned: true })).toMatchObject({ pinned: true });
    expect((await call(server, 'DELETE', `/notes/${id}`)).status).toBe(204);
    expect((await call(server, 'GET', `/notes/${id}`)).status).toBe(404);
  });

  it.each([
    ['no title', {}, 'title'],
    ['an empty title', { title: ' ' }, 'title'],
    ['a flag that is no boolean', { title: 'x', pinned: 'yes' }, 'pinned'],
    ['a list of numbers', { title: 'x', tags: [1] }, 'tags.0'],
  ])('refuses %s', async (_name, body, field) => {
    const answer = await call(server, 'POST', '/notes', { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'common.invalid', params: { field } } });
  });

  it('refuses unknown fields on request', async () => {
    const answer = await call(server, 'POST', '/notes?strict=1', { body: { title: 'x', pined: true } });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'common.unknownField', params: { field: 'pined', suggestion: 'pinned' } },
    });
  });

  it('refuses callers without a credential, and a save based on an old state', async () => {
    const { id, updated_at } = await createNote();
    expect((await call(server, 'GET', `/notes/${id}`, { token: null })).status).toBe(401);
    const body = { title: 'lost', base_updated_at: Number(updated_at) - 1 };
    expect(await call(server, 'PUT', `/notes/${id}`, { body })).toMatchObject({
      status: 409,
      body: { code: 'common.conflict', updated_at },
    });
  });

  it('has revisions that can be restored', async () => {
    const { id } = await createNote({ title: 'before', tags: ['x'] });
    await callOk(server, 'PUT', `/notes/${id}`, { title: 'after', tags: null, pinned: true });
    const [revision] = await callList(server, `/revisions?kind=note&id=${id}`);
    expect(await callOk(server, 'GET', `/revisions/${revision?.['id']}`)).toMatchObject({
      kind: 'note',
      author: 'Master-Token',
      data: { title: 'before', tags: ['x'], pinned: false },
    });
    expect(await callOk(server, 'POST', `/revisions/${revision?.['id']}/restore`)).toMatchObject({
      id,
      title: 'before',
      tags: ['x'],
      pinned: true,
    });
    expect(await callList(server, `/revisions?kind=note&id=${id}`)).toHaveLength(2);
  });

  it('reports every change, and no save that changes nothing', async () => {
    commits.length = 0;
    const { id } = await createNote({ title: 'told' });
    await callOk(server, 'PUT', `/notes/${id}`, { title: 'told' });
    await callOk(server, 'PUT', `/notes/${id}`, { title: 'renamed' });
    await call(server, 'DELETE', `/notes/${id}`);
    expect(commits.flatMap(({ records }) => records)).toEqual([
      { kind: 'note', action: 'created', id, name: 'told' },
      { kind: 'note', action: 'updated', id, name: 'renamed' },
      { kind: 'note', action: 'deleted', id, name: 'renamed' },
    ]);
  });

  it('is described in the OpenAPI document', async () => {
    const { paths } = await callOk(server, 'GET', '/openapi.json');
    expect(paths).toMatchObject({
      '/notes': {
        get: { summary: 'List notes' },
        post: { summary: 'Create a note', requestBody: expect.any(Object) },
      },
      '/notes/{id}': {
        get: { summary: 'Get a note' },
        put: { responses: { 409: expect.any(Object) } },
        delete: { summary: 'Delete a note' },
      },
    });
    expect(JSON.stringify(paths)).toContain('"const":"note"');
  });
});
