import { afterAll, beforeAll, expect, it } from 'vitest';
import { asRecord, call, callOk } from '../support/api.ts';
import { createCollection, createItem, freshName, idOf } from '../support/content.ts';
import { draw, upload } from '../support/media.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** `_image=object` of GET /data/{slug} (Beyond, "The program", `types`). */

let server: TestServer;
let slug: string;
let ids: Record<'photo' | 'hidden' | 'text' | 'gone', number>;

beforeAll(async () => {
  server = await startServer();
  const photo = await draw({ width: 800, height: 400 });
  const store = async (name: string, bytes: Uint8Array | string, fields: Record<string, string> = {}) => {
    const { body } = await upload(server, [{ name, bytes }], fields);
    return idOf(asRecord(Array.isArray(body) ? body[0] : body));
  };
  ids = {
    photo: await store('harbour.jpg', photo),
    hidden: await store('hidden.jpg', photo),
    text: await store('notes.txt', 'words'),
    gone: await store('gone.jpg', photo),
  };
  await callOk(server, 'PUT', `/files/${ids.photo}`, { alt: 'The harbour' });
  await callOk(server, 'PUT', `/files/${ids.hidden}`, { private: true });
  const people = freshName('people');
  const peopleId = await createCollection(server, {
    slug: people,
    fields: [
      { name: 'name', type: 'text' },
      { name: 'portrait', type: 'image' },
    ],
  });
  const ada = await createItem(server, people, { name: 'Ada', portrait: ids.photo });
  slug = freshName('posts');
  await createCollection(server, {
    slug,
    public_api: true,
    fields: [
      { name: 'title', type: 'text' },
      { name: 'cover', type: 'image' },
      { name: 'paper', type: 'file' },
      { name: 'author', type: 'reference', collection: peopleId },
      { name: 'authors', type: 'references', collection: peopleId },
      {
        name: 'gallery',
        type: 'group',
        many: true,
        fields: [
          { name: 'picture', type: 'image' },
          { name: 'caption', type: 'text' },
          { name: 'by', type: 'reference', collection: peopleId },
        ],
      },
    ],
  });
  await createItem(server, slug, {
    title: 'whole',
    cover: ids.photo,
    paper: ids.text,
    author: ada,
    authors: [ada],
    gallery: [{ picture: ids.photo, caption: 'One', by: ada }, { caption: 'None' }],
  });
  await createItem(server, slug, { title: 'empty' });
  await createItem(server, slug, { title: 'hidden', cover: ids.hidden });
  await createItem(server, slug, { title: 'gone', cover: ids.gone });
  await callOk(server, 'DELETE', `/files/${ids.gone}?purge=1`);
});
afterAll(() => server.stop());

async function findEntry(title: string, query = '_image=object', token?: null) {
  const path = `/data/${slug}?title=${title}&${query}`;
  const { body } = await call(server, 'GET', path, token === null ? { token } : {});
  return asRecord(Array.isArray(body) ? body[0] : undefined);
}

const harbour = {
  url: expect.stringMatching(/^\/media\/harbour[^?]*\.jpg$/),
  srcset: expect.stringMatching(/\/media\/harbour[^ ]*\?w=320 320w, .*\/media\/harbour[^ ?]*\.jpg 800w$/),
  width: 800,
  height: 400,
  alt: 'The harbour',
};

it('gives images as objects, in linked entries and groups too', async () => {
  for (const token of [undefined, null] as const)
    expect(await findEntry('whole', '_image=object', token)).toMatchObject({
      cover: harbour,
      paper: ids.text,
      author: { name: 'Ada', portrait: harbour },
      authors: [{ name: 'Ada', portrait: harbour }],
      gallery: [
        { picture: harbour, caption: 'One', by: { name: 'Ada', portrait: harbour } },
        { picture: null, caption: 'None', by: null },
      ],
    });
  expect(Object.keys(asRecord((await findEntry('whole'))['cover']))).toEqual(Object.keys(harbour));
});

it('gives IDs without it', async () => {
  expect(await findEntry('whole', '')).toMatchObject({ cover: ids.photo, author: { portrait: ids.photo } });
});

it('gives null for no image and for one that is deleted', async () => {
  expect(await findEntry('empty')).toMatchObject({ cover: null, author: null, gallery: null });
  expect(await findEntry('gone')).toMatchObject({ cover: null });
});

it('shows a private image only to callers with a credential', async () => {
  expect(await findEntry('hidden')).toMatchObject({ cover: { width: 800 } });
  expect(await findEntry('hidden', '_image=object', null)).toMatchObject({ cover: null });
});

it('goes with _fields', async () => {
  expect(await findEntry('whole', '_image=object&_fields=cover')).toEqual({ cover: harbour });
});

it('shows the new text of an image after a change', async () => {
  const before = await findEntry('whole');
  await callOk(server, 'PUT', `/files/${ids.photo}`, { alt: 'At sea' });
  expect(asRecord((await findEntry('whole'))['cover'])['alt']).toBe('At sea');
  await callOk(server, 'PUT', `/files/${ids.photo}`, { alt: 'The harbour' });
  expect(await findEntry('whole')).toEqual(before);
});

it.each(['id', '', 'Object', '1'])('refuses the form "%s"', async (form) => {
  const answer = await call(server, 'GET', `/data/${slug}?_image=${form}`);
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'common.invalid', params: { field: '_image' } },
  });
});
