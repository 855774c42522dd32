import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import {
  createAsset,
  createCollection,
  createItem,
  createPage,
  createRedirect,
  createSite,
  createSnippet,
  freshName,
  idOf,
} from '../support/content.ts';
import { draw, upload, uploadOne } from '../support/media.ts';
import { requestHead } from '../support/raw.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { visit } from './public-client.ts';

let server: TestServer;
let photo: Buffer;

beforeAll(async () => {
  server = await startServer({ args: ['-max-upload-mb', '1'] });
  photo = await draw({ width: 700, height: 400 });
});
afterAll(() => server.stop());

/** The originals in the media folder, and what is in its staging folder. */
function stored(): { objects: string[]; staged: string[] } {
  const objects = objectsIn(join(server.dataDir, 'media')).filter((name) => name.endsWith('/original'));
  return { objects, staged: readdirSync(join(server.dataDir, 'media', '.staging')) };
}

function objectsIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /^[0-9a-f]{2}\/[0-9a-f]{32}\/./.test(name));
}

describe('POST /files', () => {
  it('answers 201 with the file', async () => {
    const folder = await callOk(server, 'POST', '/folders', { name: 'Fair' });
    const file = await uploadOne(server, 'Sommer Fest (1).JPG', photo, {
      alt: 'A fair',
      folder_id: String(folder['id']),
      private: '0',
    });
    expect(file).toEqual({
      id: expect.any(Number),
      name: 'Sommer Fest (1).JPG',
      path: 'sommer-fest-1.jpg',
      url: '/media/sommer-fest-1.jpg',
      mime: 'image/jpeg',
      kind: 'image',
      size: photo.length,
      width: 700,
      height: 400,
      alt: 'A fair',
      folder_id: folder['id'],
      private: false,
      srcset:
        '/media/sommer-fest-1.jpg?w=320 320w, /media/sommer-fest-1.jpg?w=640 640w, /media/sommer-fest-1.jpg 700w',
      webp_srcset:
        '/media/sommer-fest-1.jpg.webp?w=320 320w, /media/sommer-fest-1.jpg.webp?w=640 640w, /media/sommer-fest-1.jpg.webp 700w',
      avif_srcset: '',
      focus_x: 0.5,
      focus_y: 0.5,
      variants: 'pending',
      placeholder: expect.stringMatching(/^data:image\/webp;base64,[A-Za-z0-9+/=]+$/),
      source_url: '',
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    });
    expect(String(file['placeholder']).length).toBeLessThan(500);
    expect((await visit(server, '/media/sommer-fest-1.jpg')).bytes.equals(photo)).toBe(true);
  });

  it('answers with a list for several files, in their order', async () => {
    const answer = await upload(server, [
      { name: 'a.txt', bytes: 'first' },
      { name: 'b.txt', bytes: 'second' },
    ]);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject([
      { name: 'a.txt', size: 5 },
      { name: 'b.txt', size: 6 },
    ]);
  });

  it('stores all files of a form or none', async () => {
    const before = stored().objects.length;
    const answer = await upload(server, [
      { name: 'good.jpg', bytes: photo },
      { name: 'bad.jpg', bytes: photo.subarray(0, 2000) },
    ]);
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'file.imageInvalid' });
    await expect.poll(() => stored().staged).toEqual([]);
    expect(stored().objects).toHaveLength(before);
    expect(await callList(server, '/files?q=good')).toEqual([]);
  });

  it('gives each file an address of its own', async () => {
    const paths = [];
    for (let round = 0; round < 12; round++) paths.push((await uploadOne(server, 'same.txt', 'x'))['path']);
    expect(paths.slice(0, 3)).toEqual(['same.txt', 'same-2.txt', 'same-3.txt']);
    expect(new Set(paths).size).toBe(12);
    expect(paths.at(-1)).toMatch(/^same-[0-9a-f]{10}\.txt$/);
  });

  it.each([
    ['../../etc/passwd', 'passwd', 'passwd.txt'],
    ['..\\..\\boot.ini', 'boot.ini', 'boot.txt'],
    ['ä ö ü ß É.txt', 'ä ö ü ß É.txt', 'ae-oe-ue-ss-e.txt'],
    ['.htaccess', '.htaccess', 'file.txt'],
    ['photo.jpg.webp', 'photo.jpg.webp', 'photo-jpg.txt'],
    ['<img src=x>.txt', '<img src=x>.txt', 'img-src-x.txt'],
    ['日本.txt', '日本.txt', 'file-2.txt'],
    ['__proto__', '__proto__', '__proto__.txt'],
  ])('makes of the name %j no path', async (name, shown, path) => {
    expect(await uploadOne(server, name, 'plain text')).toMatchObject({ name: shown, path });
  });

  it.each([
    ['image.jpg', Buffer.from('%PDF-1.7\n%âãÏÓ\n'), 'application/pdf', 'document', 'pdf'],
    ['notes.txt', '<html><script>alert(1)</script>', 'text/plain', 'document', 'txt'],
    ['picture.png', '<html><script>alert(1)</script>', 'text/html', 'document', 'html'],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml', 'image', 'svg'],
    ['drawing.svg', 'not a drawing', 'text/plain', 'document', 'txt'],
    ['feed.xml', '<?xml version="1.0"?><a/>', 'application/xml', 'document', 'xml'],
    ['table.csv', 'a;b\n1;2', 'text/csv', 'document', 'csv'],
    ['code.js', 'alert(1)', 'text/javascript', 'other', 'js'],
    ['book.docx', Buffer.from('PK\u0003\u0004'.padEnd(40, '\0'), 'latin1'), docx(), 'document', 'docx'],
    [
      'archive.jpg',
      Buffer.from('PK\u0003\u0004'.padEnd(40, '\0'), 'latin1'),
      'application/zip',
      'other',
      'zip',
    ],
    ['strange.dat', Buffer.from([0, 1, 2, 255]), 'application/octet-stream', 'other', 'dat'],
    ['strange.jpg', Buffer.from([0, 1, 2, 255]), 'application/octet-stream', 'other', 'bin'],
    ['table.csv', Buffer.from('\ufeffa;b\n', 'utf16le'), 'application/octet-stream', 'other', 'bin'],
    ['drawing.svg', Buffer.from('\ufeff<svg/>', 'utf16le'), 'application/octet-stream', 'other', 'bin'],
    ['font.bin', Buffer.from('wOF2\0\u0001\0\0'.padEnd(40, '\0'), 'latin1'), 'font/woff2', 'font', 'woff2'],
    ['packed.bin', Buffer.from([0x1f, 0x9d, 0x90, 1, 2]), 'application/x-compress', 'other', 'z'],
    ['empty.txt', '', 'text/plain', 'document', 'txt'],
  ])('tells the type of %s by its content', async (name, bytes, mime, kind, extension) => {
    const file = await uploadOne(server, name, bytes);
    expect(file).toMatchObject({ mime, kind, srcset: '', webp_srcset: '', placeholder: '' });
    expect(file['path']).toMatch(new RegExp(`\\.${extension}$`));
    expect((await fetch(`${server.url}${file['url']}`)).status).toBe(200);
  });

  it.each([
    ['<svg width="120" height="60px" viewBox="0 0 1 1"/>', 120, 60],
    ['<svg viewBox="0 0 24 12"/>', 24, 12],
    ['<svg width="100%"/>', null, null],
  ])('reads the size that %s names', async (svg, width, height) => {
    expect(await uploadOne(server, 'size.svg', svg)).toMatchObject({ mime: 'image/svg+xml', width, height });
  });

  it.each([
    ['no file', [], { alt: 'x' }, 400, 'file.missing'],
    ['another field', [{ name: 'a.txt', bytes: 'x', field: 'upload' }], {}, 400, 'file.missing'],
    ['an unknown folder', [{ name: 'a.txt', bytes: 'x' }], { folder_id: '999' }, 400, 'common.invalid'],
    ['a folder in words', [{ name: 'a.txt', bytes: 'x' }], { folder_id: 'x' }, 400, 'common.invalid'],
    ['a flag in words', [{ name: 'a.txt', bytes: 'x' }], { private: 'yes' }, 400, 'common.invalid'],
    ['a long alt text', [{ name: 'a.txt', bytes: 'x' }], { alt: 'x'.repeat(1001) }, 400, 'common.invalid'],
    ['1 MB and a byte', [{ name: 'a.txt', bytes: 'x'.repeat(2 ** 20 + 1) }], {}, 413, 'file.tooLarge'],
    [
      '101 files',
      Array.from({ length: 101 }, () => ({ name: 'a', bytes: 'x' })),
      {},
      400,
      'common.invalidForm',
    ],
    ['a large field', [{ name: 'a', bytes: 'x' }], { alt: 'x'.repeat(70_000) }, 400, 'common.invalidForm'],
  ])('refuses %s and keeps nothing', async (_name, files, fields, status, code) => {
    const before = stored().objects.length;
    expect(outcomeOf(await upload(server, files, fields))).toEqual({ status, code });
    expect(stored().objects).toHaveLength(before);
    expect(stored().staged).toEqual([]);
  });

  it('takes exactly 1 MB', async () => {
    expect(await uploadOne(server, 'full.txt', 'x'.repeat(2 ** 20))).toMatchObject({ size: 2 ** 20 });
  });

  it('takes only a real form', async () => {
    const posing = await call(server, 'POST', '/files', { body: { files: [{ filepath: '/etc/passwd' }] } });
    expect(outcomeOf(posing)).toEqual({ status: 415, code: 'common.contentType' });
    expect(posing.body).toMatchObject({ params: { expected: 'multipart/form-data' } });
  });

  const part = 'Content-Disposition: form-data; name="file"; filename="a.txt"\r\n';
  it.each([
    ['a form without an end', `--x\r\n${part}\r\nabc`, 'x'],
    ['a form without a boundary in it', 'abc', 'x'],
    ['10,000 parts', `--x\r\n${part}\r\n1\r\n`.repeat(10_000), 'x'],
    ['a part with a header of 1 MB', `--x\r\n${part}X: ${'y'.repeat(2 ** 20)}\r\n\r\nabc\r\n--x--`, 'x'],
    ['a form without a boundary', `--x\r\n${part}\r\nabc\r\n--x--`, ''],
  ])('refuses %s with 400', async (_name, raw, boundary) => {
    const type = `multipart/form-data; ${boundary === '' ? 'a=b' : `boundary=${boundary}`}`;
    const answer = await call(server, 'POST', '/files', { raw, headers: { 'Content-Type': type } });
    expect(outcomeOf(answer)).toEqual({
      status: 400,
      code: expect.stringMatching(/^(common.invalidForm|file.missing)$/),
    });
    expect(stored().staged).toEqual([]);
  });

  it('keeps nothing of an upload that is broken off', async () => {
    const before = stored().objects.length;
    const head = requestHead(
      'POST /api/v1/files HTTP/1.1',
      `Host: 127.0.0.1:${server.port}`,
      `Authorization: Bearer ${masterToken}`,
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 900000',
    );
    const begin = `--x\r\n${part}\r\n${'y'.repeat(200_000)}`;
    await Promise.all(Array.from({ length: 20 }, () => breakOff(head + begin)));
    await expect
      .poll(() => stored())
      .toEqual({ objects: expect.toSatisfy((found) => found.length === before), staged: [] });
  });
});

async function breakOff(message: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(message, () => socket.destroy()));
    socket.on('close', () => resolve());
    socket.on('error', () => {});
  });
}

describe('GET /files', () => {
  let folder: number;
  beforeEach(async () => {
    folder = idOf(await callOk(server, 'POST', '/folders', { name: 'List' }));
    const inFolder = { folder_id: String(folder) };
    await uploadOne(server, 'one.txt', 'x', inFolder);
    await uploadOne(server, 'two.jpg', photo, { ...inFolder, alt: '100% harbour_view' });
    await uploadOne(server, 'three.txt', 'x', inFolder);
  });

  it.each([
    ['', ['three.txt', 'two.jpg', 'one.txt'], 3],
    ['&kind=image', ['two.jpg'], 1],
    ['&kind=document', ['three.txt', 'one.txt'], 2],
    ['&kind=font', [], 0],
    ['&q=THREE', ['three.txt'], 1],
    ['&q=0%25', ['two.jpg'], 1],
    ['&q=r_v', ['two.jpg'], 1],
    ['&q=%25', ['two.jpg'], 1],
    ['&limit=1', ['three.txt'], 3],
    ['&limit=2&offset=1', ['two.jpg', 'one.txt'], 3],
    ['&offset=9', [], 3],
  ])('with %s lists newest first and counts all', async (query, names, total) => {
    const { body, headers } = await call(server, 'GET', `/files?folder_id=${folder}${query}`);
    expect(Array.isArray(body) ? body.map((file) => asRecord(file)['name']) : body).toEqual(names);
    expect(headers.get('x-total-count')).toBe(String(total));
  });

  it.each(['limit=0', 'limit=1001', 'limit=x', 'offset=-1', 'kind=picture', 'folder_id=-1'])(
    'refuses %s',
    async (query) => {
      expect(outcomeOf(await call(server, 'GET', `/files?${query}`))).toEqual({
        status: 400,
        code: 'common.invalid',
      });
    },
  );
});

describe('PUT /files/{id}', () => {
  it('changes the fields of a file', async () => {
    const { id } = await uploadOne(server, 'change.jpg', photo);
    const folder = idOf(await callOk(server, 'POST', '/folders', { name: 'New' }));
    const fields = {
      name: 'Better',
      alt: 'Text',
      folder_id: folder,
      private: true,
      focus_x: 0.25,
      focus_y: 1,
    };
    expect(await callOk(server, 'PUT', `/files/${id}`, fields)).toMatchObject({
      ...fields,
      path: 'change.jpg',
    });
    expect(await callOk(server, 'GET', `/files/${id}`)).toMatchObject(fields);
  });

  it.each([
    [{ name: ' ' }, 'name'],
    [{ folder_id: 999 }, 'folder_id'],
    [{ private: 'yes' }, 'private'],
    [{ focus_x: 1.1 }, 'focus_x'],
    [{ alt: 5 }, 'alt'],
  ])('refuses %j', async (body, field) => {
    const { id } = await uploadOne(server, 'refuse.txt', 'x');
    const answer = await call(server, 'PUT', `/files/${id}`, { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'common.invalid', params: { field } } });
  });

  it('ignores what only the service sets', async () => {
    const { id, path, content } = await uploadOne(server, 'own.txt', 'x');
    const body = { id: 5, path: '../x', content: 'x', size: 1, mime: 'text/html', variants: 'none' };
    expect(await callOk(server, 'PUT', `/files/${id}`, body)).toMatchObject({ id, path, mime: 'text/plain' });
    expect(content).toBeUndefined();
  });

  it('replaces the content in place', async () => {
    const before = await uploadOne(server, 'replace.jpg', photo, { alt: 'Old' });
    expect((await visit(server, '/media/replace.jpg?w=320')).status).toBe(200);
    const small = await draw({ width: 300, height: 200, format: 'png' });
    const answer = await upload(
      server,
      [{ name: 'other.png', bytes: small }],
      {},
      {
        method: 'PUT',
        path: `/files/${before['id']}`,
      },
    );
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      id: before['id'],
      url: before['url'],
      name: 'replace.jpg',
      alt: 'Old',
      mime: 'image/png',
      width: 300,
      size: small.length,
      srcset: '/media/replace.jpg 300w',
    });
    const served = await visit(server, '/media/replace.jpg');
    expect(served.header('content-type')).toBe('image/png');
    expect(served.bytes.equals(small)).toBe(true);
    expect((await visit(server, '/media/replace.jpg.webp')).header('content-type')).toBe('image/webp');
  });

  it('keeps the content if the new one is refused', async () => {
    const { id } = await uploadOne(server, 'kept.jpg', photo);
    const place = { method: 'PUT', path: `/files/${id}` };
    const bad = [{ name: 'x.jpg', bytes: photo.subarray(0, 1000) }];
    expect(outcomeOf(await upload(server, bad, {}, place))).toEqual({
      status: 400,
      code: 'file.imageInvalid',
    });
    expect(outcomeOf(await upload(server, [], { alt: 'x' }, place))).toEqual({
      status: 400,
      code: 'file.missing',
    });
    expect((await visit(server, '/media/kept.jpg')).bytes.equals(photo)).toBe(true);
    expect(outcomeOf(await upload(server, bad, {}, { ...place, path: '/files/99999' }))).toEqual({
      status: 404,
      code: 'common.notFound',
    });
  });
});

describe('DELETE /files/{id}', () => {
  it('removes original and variants', async () => {
    const before = new Set(stored().objects);
    const { id } = await uploadOne(server, 'gone.jpg', photo);
    const content =
      stored()
        .objects.find((name) => !before.has(name))
        ?.slice(0, 35) ?? '';
    const objects = () =>
      objectsIn(join(server.dataDir, 'media'))
        .filter((name) => name.startsWith(content))
        .map((name) => name.slice(36))
        .sort();
    expect((await visit(server, '/media/gone.jpg?w=320')).status).toBe(200);
    expect((await visit(server, '/media/gone.jpg?thumb=50x50')).status).toBe(200);
    expect(objects()).toEqual([
      'c50x50-500-500.jpeg',
      'original',
      ...['w320.jpeg', 'w320.webp', 'w640.jpeg', 'w640.webp', 'w700.webp'],
    ]);
    expect((await call(server, 'DELETE', `/files/${id}?purge=1`)).status).toBe(204);
    expect((await visit(server, '/media/gone.jpg')).status).toBe(404);
    expect((await visit(server, '/media/gone.jpg?w=320')).status).toBe(404);
    await expect.poll(objects).toEqual([]);
    expect(outcomeOf(await call(server, 'DELETE', `/files/${id}`))).toEqual({
      status: 404,
      code: 'common.notFound',
    });
  });

  it('with if_unused refuses a file that something refers to, and GET names it', async () => {
    const site = await createSite(server);
    const { id, path } = await uploadOne(server, 'used.jpg', photo);
    const users: Record<string, unknown>[] = [];
    const use = async (kind: string, made: Promise<number>, title: string) =>
      users.push({ kind, id: await made, title });
    await use(
      'asset',
      createAsset(server, { name: 'css', content: `a{background:url("/media/${path}?w=320")}` }),
      'css',
    );
    await use('page', createPage(server, site, { title: 'A', html: `{{ image(${id}) }}` }), 'A');
    await use('page', createPage(server, site, { title: 'B', html: `<a href="/media/${path}">x</a>` }), 'B');
    await use('page', createPage(server, site, { title: 'C', og_image_file_id: id }), 'C');
    await use('page', createPage(server, site, { title: 'D', head: `{{ file(${id}).url }}` }), 'D');
    await use('page', createPage(server, site, { title: 'E', html: `<img src='/media/${path}.webp'>` }), 'E');
    const { usage } = await callOk(server, 'GET', `/files/${id}`);
    expect(usage).toEqual(expect.arrayContaining(users));
    expect(usage).toHaveLength(users.length);
    const refused = await call(server, 'DELETE', `/files/${id}?if_unused=1`);
    expect(outcomeOf(refused)).toEqual({ status: 409, code: 'common.inUse' });
    for (const user of users) await call(server, 'DELETE', `/${user['kind']}s/${user['id']}`);
    expect((await callOk(server, 'GET', `/files/${id}`))['usage']).toEqual([]);
    expect((await call(server, 'DELETE', `/files/${id}?if_unused=1`)).status).toBe(204);
  });
});

describe('a file that is named outside of templates', () => {
  let site: number;
  let fields: string;
  beforeAll(async () => {
    site = await createSite(server);
    fields = freshName('fields');
    const types = ['text', 'textarea', 'html', 'markdown', 'url'].map((type) => ({ name: type, type }));
    await createCollection(server, { slug: fields, fields: types });
  });

  const entry = (field: string) => (_id: number, url: string) =>
    createItem(server, fields, { [field]: field === 'url' ? url : `see ${url}?w=320 there` });
  const withDefault = (param: object) =>
    createSnippet(server, { schema: { block: true, params: [{ name: 'x', ...param }] } });
  const inFlow = (url: string) => [{ id: 'm', type: 'mail', config: { to: 'a@example.org', body: url } }];

  it.each<[string, (id: number, url: string) => Promise<unknown>]>([
    ...['text', 'textarea', 'html', 'markdown', 'url'].map(
      (type): [string, (id: number, url: string) => Promise<unknown>] => [`an entry (${type})`, entry(type)],
    ),
    ['attributes of <html>', (_, url) => createPage(server, site, { html_attrs: `data-icon="${url}"` })],
    ['attributes of <body>', (_, url) => createPage(server, site, { body_attrs: `data-icon="${url}"` })],
    ['the default of an image parameter', (id) => withDefault({ type: 'image', default: id })],
    [
      'the default of an HTML parameter',
      (_, url) => withDefault({ type: 'html', default: `<img src="${url}">` }),
    ],
    ['a redirect', (_, url) => createRedirect(server, site, { target: url })],
    [
      'a workflow',
      (_, url) => callOk(server, 'POST', '/workflows', { name: 'w', flow: { nodes: inFlow(url) } }),
    ],
    [
      'a custom node',
      (_, url) => callOk(server, 'POST', '/flow-nodes', { name: 'n', code: `return "${url}"` }),
    ],
  ])('is in use by %s', async (_name, use) => {
    const { id, url } = await uploadOne(server, 'named.jpg', photo);
    await use(Number(id), String(url));
    expect((await callOk(server, 'GET', '/cleanup'))['files']).not.toContainEqual(
      expect.objectContaining({ id }),
    );
    expect(outcomeOf(await call(server, 'DELETE', `/files/${id}?if_unused=1`))).toEqual({
      status: 409,
      code: 'common.inUse',
    });
  });

  it('is unused when the entry names another one', async () => {
    const { id, url } = await uploadOne(server, 'first.jpg', photo);
    const item = await createItem(server, fields, { markdown: `![](${url})` });
    expect((await callOk(server, 'GET', `/files/${id}`))['usage']).toMatchObject([
      { kind: 'item', id: item },
    ]);
    await callOk(server, 'PUT', `/collections/${fields}/items/${item}`, { data: { markdown: 'none' } });
    expect((await call(server, 'DELETE', `/files/${id}?if_unused=1`)).status).toBe(204);
  });
});

describe('folders', () => {
  const add = (name: string, parent_id = 0) => callOk(server, 'POST', '/folders', { name, parent_id });

  it('have a name and a place', async () => {
    const top = await add('Top');
    expect(top).toEqual({
      id: expect.any(Number),
      name: 'Top',
      parent_id: 0,
      created_at: expect.any(Number),
    });
    const below = await add('Below', idOf(top));
    expect(
      await callOk(server, 'PUT', `/folders/${below['id']}`, { name: 'Renamed', parent_id: 0 }),
    ).toMatchObject({
      name: 'Renamed',
      parent_id: 0,
    });
    expect(await callList(server, '/folders')).toContainEqual(top);
  });

  it('move their content one level up when they are deleted', async () => {
    const top = idOf(await add('A'));
    const middle = idOf(await add('B', top));
    const low = idOf(await add('C', middle));
    const file = await uploadOne(server, 'moves.txt', 'x', { folder_id: String(middle) });
    expect((await call(server, 'DELETE', `/folders/${middle}`)).status).toBe(204);
    expect(await callOk(server, 'GET', `/files/${file['id']}`)).toMatchObject({ folder_id: top });
    expect(await callList(server, '/folders')).toContainEqual(
      expect.objectContaining({ id: low, parent_id: top }),
    );
  });

  it('are never inside of themselves', async () => {
    const top = idOf(await add('X'));
    const below = idOf(await add('Y', top));
    for (const parent_id of [top, below, 99_999]) {
      const answer = await call(server, 'PUT', `/folders/${top}`, { body: { parent_id } });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'common.invalid', params: { field: 'parent_id' } },
      });
    }
    const nameless = await call(server, 'POST', '/folders', { body: { name: ' ' } });
    expect(nameless).toMatchObject({ status: 400, body: { params: { field: 'name' } } });
  });
});

function docx(): string {
  return 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
}
