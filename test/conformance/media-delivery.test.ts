import { readdirSync, statSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, call, callOk } from '../support/api.ts';
import { createSite } from '../support/content.ts';
import { draw, uploadOne } from '../support/media.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { setUp } from '../support/session.ts';
import { contentFile } from '../support/shared-database.ts';
import { visit } from './public-client.ts';

let server: TestServer;
const digits = Array.from({ length: 100 }, (_, index) => String(index).padStart(2, '0')).join('');
/** Larger than what is kept in memory. */
const large = 'x'.repeat(600_000) + digits;

beforeAll(async () => {
  server = await startServer();
  await uploadOne(server, 'digits.txt', digits);
  await uploadOne(server, 'large.txt', large);
  await uploadOne(server, 'empty.txt', '');
  await uploadOne(server, 'photo.jpg', await draw({ width: 700, height: 350 }));
});
afterAll(() => server.stop());

describe('GET /media/{path}', () => {
  it('has the headers of Core', async () => {
    const answer = await visit(server, '/media/photo.jpg');
    expect(answer.status).toBe(200);
    expect(answer.header('content-type')).toBe('image/jpeg');
    expect(answer.header('cache-control')).toBe('max-age=86400');
    expect(Date.parse(answer.header('last-modified') ?? '')).toBeGreaterThan(Date.parse('2020-01-01'));
    expect(answer.header('etag')).toMatch(/^"[\w.-]+"$/);
    expect(answer.header('accept-ranges')).toBe('bytes');
    expect(answer.header('access-control-allow-origin')).toBe('*');
    expect(answer.header('x-content-type-options')).toBe('nosniff');
    expect(answer.header('content-disposition')).toBeUndefined();
  });

  const whole = ['digits', 'large'] as const;
  const textOf = { digits, large };
  it.each(whole)('HEAD of %s has the same headers and no body', async (name) => {
    const [head, get] = [
      await visit(server, `/media/${name}.txt`, { method: 'HEAD' }),
      await visit(server, `/media/${name}.txt`),
    ];
    expect(get.text).toBe(textOf[name]);
    expect([head.status, head.text]).toEqual([200, '']);
    for (const header of ['content-type', 'content-length', 'etag', 'last-modified', 'cache-control'])
      expect([header, head.header(header)]).toEqual([header, get.header(header)]);
  });

  const cases: (readonly [range: string, status: number, from?: number, to?: number])[] = [
    ['bytes=0-4', 206, 0, 4],
    ['bytes=5-5', 206, 5, 5],
    ['bytes=10-', 206, 10, -1],
    ['bytes=-7', 206, -7, -1],
    ['bytes=-9999999', 206, 0, -1],
    ['bytes=3-9999999', 206, 3, -1],
    ['bytes=9999999-', 416],
    ['bytes=-0', 416],
    ['bytes=5-4', 200],
    ['bytes=0-1,4-5', 200],
    ['bytes=', 200],
    ['bytes=a-b', 200],
    ['items=0-4', 200],
    ['bytes=0-4x', 200],
  ];
  it.each(
    whole.flatMap((name) =>
      cases.map(([range, status, from = 0, to = -1]) => [name, range, status, from, to] as const),
    ),
  )('%s with %s is %i', async (name, range, status, from, to) => {
    const text = textOf[name];
    const answer = await visit(server, `/media/${name}.txt`, { headers: { Range: range } });
    const at = (offset: number) => (offset < 0 ? text.length + offset : offset);
    expect(answer.status).toBe(status);
    if (status === 206) {
      expect(answer.text).toBe(text.slice(at(from), at(to) + 1));
      expect(answer.header('content-range')).toBe(`bytes ${at(from)}-${at(to)}/${text.length}`);
    } else if (status === 416) {
      expect(answer.header('content-range')).toBe(`bytes */${text.length}`);
      expect(answer.text).toBe('');
    } else {
      expect(answer.text).toBe(text);
    }
  });

  it('HEAD ignores a range', async () => {
    const answer = await visit(server, '/media/digits.txt', {
      method: 'HEAD',
      headers: { Range: 'bytes=0-4' },
    });
    expect([answer.status, answer.header('content-length')]).toEqual([200, '200']);
  });

  it('answers an empty file', async () => {
    const answer = await visit(server, '/media/empty.txt');
    expect([answer.status, answer.text, answer.header('content-length')]).toEqual([200, '', '0']);
    expect((await visit(server, '/media/empty.txt', { headers: { Range: 'bytes=0-' } })).status).toBe(416);
  });

  it('compares conditions', async () => {
    const { header } = await visit(server, '/media/digits.txt');
    const tag = header('etag') ?? '';
    const modified = header('last-modified') ?? '';
    const before = new Date(Date.parse(modified) - 1000).toUTCString();
    const part = { Range: 'bytes=0-1' };
    const table: [Record<string, string>, number][] = [
      [{ 'If-None-Match': tag }, 304],
      [{ 'If-None-Match': `"a", W/${tag}` }, 304],
      [{ 'If-None-Match': '*' }, 304],
      [{ 'If-None-Match': '"other"' }, 200],
      [{ 'If-Modified-Since': modified }, 304],
      [{ 'If-Modified-Since': before }, 200],
      [{ 'If-Modified-Since': 'nonsense' }, 200],
      [{ 'If-None-Match': '"other"', 'If-Modified-Since': modified }, 200],
      [{ ...part, 'If-None-Match': tag }, 304],
      [{ ...part, 'If-Range': tag }, 206],
      [{ ...part, 'If-Range': `W/${tag}` }, 200],
      [{ ...part, 'If-Range': '"other"' }, 200],
      [{ ...part, 'If-Range': modified }, 206],
      [{ ...part, 'If-Range': before }, 200],
      [{ ...part, 'If-Range': 'nonsense' }, 200],
    ];
    for (const [headers, status] of table) {
      const answer = await visit(server, '/media/digits.txt', { headers });
      expect([headers, answer.status]).toEqual([headers, status]);
      if (status !== 304) continue;
      expect([answer.text, answer.header('etag'), answer.header('content-type')]).toEqual([
        '',
        tag,
        undefined,
      ]);
    }
  });

  it.each([
    '/media/',
    '/media',
    '/media/nothing.jpg',
    '/media/photo.jpg/',
    '/media//photo.jpg',
    '/media/PHOTO.jpg',
    '/media/ph%6Fto.jpg',
    '/media/../content.db',
    '/media/..%2fcontent.db',
    '/media/%2e%2e/content.db',
    '/media/photo.jpg%00',
    '/media/.staging',
    '/media/digits.txt.webp',
    '/media/photo.jpg.webp.webp',
    '/media/constructor',
    '/media/__proto__.js',
  ])('%s is 404', async (target) => {
    expect((await visit(server, target)).status).toBe(404);
  });

  it('follows no symbolic link', async () => {
    const folder = join(server.dataDir, 'media');
    await uploadOne(server, 'linked.bin', Buffer.from([0, 1]));
    const objects = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('original'),
    );
    const newest = objects.find((name) => statSync(join(folder, name)).size === 2) ?? '';
    unlinkSync(join(folder, newest));
    symlinkSync(contentFile(server.dataDir), join(folder, newest));
    expect((await visit(server, '/media/linked.bin')).status).toBe(404);
  });

  const csp = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
  it.each([
    ['page.html', '<html><script>alert(1)</script>', 'text/html; charset=utf-8', csp, 'attachment'],
    ['page.xhtml', '<?xml version="1.0"?><html/>', 'application/xhtml+xml; charset=utf-8', csp, 'attachment'],
    ['feed.xml', '<?xml version="1.0"?><a/>', 'application/xml; charset=utf-8', csp, 'attachment'],
    [
      'bad.svg',
      '<svg onload="alert(1)"><script>alert(1)</script></svg>',
      'image/svg+xml; charset=utf-8',
      csp,
      undefined,
    ],
    ['code.js', 'alert(1)', 'text/javascript; charset=utf-8', undefined, 'attachment'],
    ['note.txt', '<script>', 'text/plain; charset=utf-8', undefined, undefined],
    ['doc.pdf', '%PDF-1.7', 'application/pdf', undefined, undefined],
  ])('serves %s so that nothing in it runs', async (name, text, type, policy, disposition) => {
    const { url } = await uploadOne(server, name, text);
    const answer = await visit(server, String(url));
    expect(answer.text).toBe(text);
    expect(answer.header('content-type')).toBe(type);
    expect(answer.header('content-security-policy')).toBe(policy);
    expect(answer.header('content-disposition')?.split(';')[0]).toBe(disposition);
    expect(answer.header('x-content-type-options')).toBe('nosniff');
    expect((await visit(server, `${url}?format=webp`)).text).toBe(text);
  });

  it('names a download in a way that no client misreads', async () => {
    const { id, url } = await uploadOne(server, 'download.html', '<html>');
    await callOk(server, 'PUT', `/files/${id}`, { name: 'ä "b";c.html' });
    expect((await visit(server, String(url))).header('content-disposition')).toBe(
      `attachment; filename="_ _b_;c.html"; filename*=UTF-8''%C3%A4%20%22b%22%3Bc.html`,
    );
  });
});

describe('variants of an image', () => {
  const table: [query: string, type: string, width: number][] = [
    ['?w=1', 'image/jpeg', 320],
    ['?w=320', 'image/jpeg', 320],
    ['?w=321', 'image/jpeg', 640],
    ['?w=641', 'image/jpeg', 700],
    ['?w=9999', 'image/jpeg', 700],
    ['?w=0', 'image/jpeg', 700],
    ['?w=x', 'image/jpeg', 700],
    ['?format=webp', 'image/webp', 700],
    ['?format=webp&w=300', 'image/webp', 320],
    ['?format=avif', 'image/jpeg', 700],
    ['?format=exe', 'image/jpeg', 700],
    ['.webp', 'image/webp', 700],
    ['.webp?w=600', 'image/webp', 640],
    ['?thumb=100x50', 'image/jpeg', 100],
    ['?thumb=2561x1', 'image/jpeg', 700],
    ['?thumb=x', 'image/jpeg', 700],
  ];
  it.each(table)('photo.jpg%s is %s with a width of %i', async (query, type, width) => {
    const answer = await visit(server, `/media/photo.jpg${query}`);
    expect([answer.status, answer.header('content-type')]).toEqual([200, type]);
    const { format, width: found } = await sharp(answer.bytes).metadata();
    expect([`image/${format}`, found]).toEqual([type, width]);
    const again = { headers: { 'If-None-Match': answer.header('etag') ?? '' } };
    expect((await visit(server, `/media/photo.jpg${query}`, again)).status).toBe(304);
  });

  it('have tags of their own', async () => {
    const tags = await Promise.all(
      ['', '?w=320', '?w=640', '.webp', '.webp?w=320', '?thumb=10x10'].map(async (query) =>
        (await visit(server, `/media/photo.jpg${query}`)).header('etag'),
      ),
    );
    expect(new Set(tags).size).toBe(6);
  });
});

describe('private files', () => {
  let session: string;
  let reader: string;
  beforeAll(async () => {
    session = await setUp(server);
    reader = await addToken(server, 'reader', false);
    await uploadOne(server, 'secret.jpg', await draw({ width: 400, height: 200 }), { private: '1' });
  });

  const forms = ['', '?w=320', '.webp', '?format=webp&w=320', '?thumb=50x50'];
  it.each(forms)('secret.jpg%s is 404 for visitors', async (form) => {
    const answer = await visit(server, `/media/secret.jpg${form}`);
    expect([answer.status, answer.text]).toEqual([404, 'Not found\n']);
  });

  it.each(forms)('secret.jpg%s opens for sessions and tokens', async (form) => {
    const target = `/media/secret.jpg${form}`;
    const withToken = `${target}${form.includes('?') ? '&' : '?'}token=${reader}`;
    const opened = [
      await visit(server, target, { headers: { Cookie: `ic_session=${session}` } }),
      await visit(server, target, { headers: { Authorization: `Bearer ${reader}` } }),
      await visit(server, withToken),
    ];
    for (const answer of opened) {
      expect(answer.status).toBe(200);
      expect(answer.header('cache-control')).toBe('private, no-store');
      expect(answer.header('x-robots-tag')).toBe('noindex');
      expect(answer.header('referrer-policy')).toBe('no-referrer');
      expect(answer.header('access-control-allow-origin')).toBe('*');
    }
    // Only the bearer header counts if there is one.
    const both = { headers: { Authorization: 'Bearer ic_wrong', Cookie: `ic_session=${session}` } };
    expect((await visit(server, target, both)).status).toBe(404);
  });

  it('open with a signature, which covers all variants', async () => {
    const file = (await call(server, 'GET', '/files?q=secret')).body;
    const id = Array.isArray(file) ? file[0]?.id : undefined;
    const signed = await call(server, 'POST', `/files/${id}/signed-url`, {
      token: reader,
      body: { ttl: 60 },
    });
    expect(signed.status).toBe(200);
    const { url, exp, sig, expires_at } = Object(signed.body);
    expect(url).toBe(`/media/secret.jpg?exp=${exp}&sig=${sig}`);
    expect(expires_at).toBe(exp);
    expect(Math.abs(exp - Date.now() / 1000 - 60)).toBeLessThan(5);
    for (const form of forms) {
      const target = `/media/secret.jpg${form}${form.includes('?') ? '&' : '?'}exp=${exp}&sig=${sig}`;
      const answer = await visit(server, target);
      expect([form, answer.status, answer.header('cache-control')]).toEqual([form, 200, 'private, no-store']);
    }
    const other = await uploadOne(server, 'other.txt', 'x', { private: '1' });
    const otherSig = Object((await call(server, 'POST', `/files/${other['id']}/signed-url`)).body);
    const refused = [
      `exp=9999999999&sig=00`,
      `exp=${otherSig.exp}&sig=${otherSig.sig}`,
      `exp=${exp + 1}&sig=${sig}`,
      `exp=1e99&sig=${sig}`,
      `exp=-1&sig=${sig}`,
      `exp=0${exp}&sig=${sig}`,
      `exp=${exp}&exp=${exp}&sig=${sig}`,
      `exp=${exp}&sig=${sig}&sig=${sig}`,
      `exp=${exp}&sig=${String(sig).toUpperCase()}`,
      `exp=${exp}&sig=${String(sig).slice(1)}`,
      `exp=${exp}&sig=${sig}0`,
      `exp=${exp}`,
      `sig=${sig}`,
      `exp=&sig=`,
    ];
    for (const query of refused)
      expect([query, (await visit(server, `/media/secret.jpg?${query}`)).status]).toEqual([query, 404]);
    expect((await visit(server, `/media/s%65cret.jpg?exp=${exp}&sig=${sig}`)).status).toBe(404);
  });

  it('refuses a signed address that is over', async () => {
    const { id } = await uploadOne(server, 'short.txt', 'x', { private: '1' });
    for (const ttl of [0, 604_801, 1.5, 'x']) {
      const answer = await call(server, 'POST', `/files/${id}/signed-url`, { body: { ttl } });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'common.invalid', params: { field: 'ttl' } },
      });
    }
    const { exp } = await callOk(server, 'POST', `/files/${id}/signed-url`);
    expect(Number(exp) - Date.now() / 1000).toBeGreaterThan(3590);
    expect((await call(server, 'POST', '/files/99999/signed-url')).status).toBe(404);
  });

  it('are gone with the next request after the switch, hot or not', async () => {
    const { id } = await uploadOne(server, 'hot.jpg', await draw({ width: 400, height: 200 }));
    const targets = forms.map((form) => `/media/hot.jpg${form}`);
    const statuses = async () => {
      const answers = await Promise.all(targets.map((target) => visit(server, target)));
      return new Set(answers.map(({ status }) => status));
    };
    for (let round = 0; round < 3; round++) expect(await statuses()).toEqual(new Set([200]));
    await callOk(server, 'PUT', `/files/${id}`, { private: true });
    expect(await statuses()).toEqual(new Set([404]));
    await callOk(server, 'PUT', `/files/${id}`, { private: false });
    expect(await statuses()).toEqual(new Set([200]));
  });
});

describe('GET /favicon.ico', () => {
  it('is the icon of the website', async () => {
    const site = await createSite(server, { domains: 'icon.example' });
    const at = () => visit(server, '/favicon.ico', { host: 'icon.example' });
    expect((await at()).status).toBe(404);
    const icon = await draw({ width: 48, height: 48, format: 'png' });
    const { id } = await uploadOne(server, 'icon.png', icon);
    await callOk(server, 'PUT', `/pages/${site}`, { favicon_file_id: id });
    const answer = await at();
    expect([answer.status, answer.header('content-type'), answer.header('cache-control')]).toEqual([
      200,
      'image/png',
      'max-age=86400',
    ]);
    expect(answer.bytes.equals(icon)).toBe(true);
    await callOk(server, 'PUT', `/files/${id}`, { private: true });
    expect((await at()).status).toBe(404);
    expect((await visit(server, '/favicon.ico/x', { host: 'icon.example' })).status).toBe(404);
  });
});
