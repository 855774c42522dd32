import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, callOk } from '../support/api.ts';
import { createPage, createSite, freshName, idOf } from '../support/content.ts';
import { draw, upload, uploadOne } from '../support/media.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { setUp } from '../support/session.ts';
import { bodyOf, visit } from './public-client.ts';

let server: TestServer;
let session: string;
let site: number;
let host: string;
let photo: number;
let secret: number;
let plan: number;

beforeAll(async () => {
  server = await startServer();
  session = await setUp(server);
  photo = idOf(
    await uploadOne(server, 'photo.jpg', await draw({ width: 700, height: 350 }), { alt: 'A "view"' }),
  );
  secret = idOf(
    await uploadOne(server, 'secret.png', await draw({ width: 200, height: 100, format: 'png' }), {
      private: '1',
    }),
  );
  plan = idOf(await uploadOne(server, 'Plan.pdf', '%PDF-1.7'));
});
afterAll(() => server.stop());
beforeEach(async () => {
  host = `${freshName('media')}.example`;
  site = await createSite(server, { domains: host });
});

async function page(
  html: string,
  fields: Record<string, unknown> = {},
): Promise<{ id: number; path: string }> {
  const id = await createPage(server, site, { html, published: true, ...fields });
  return { id, path: String((await callOk(server, 'GET', `/pages/${id}`))['path']) };
}

async function rendered(html: string): Promise<string> {
  return bodyOf(await visit(server, (await page(html)).path, { host }));
}

describe('image()', () => {
  const srcset = '/media/photo.jpg?w=320 320w, /media/photo.jpg?w=640 640w, /media/photo.jpg 700w';
  const webp =
    '/media/photo.jpg.webp?w=320 320w, /media/photo.jpg.webp?w=640 640w, /media/photo.jpg.webp 700w';

  it('prints a picture in all sizes and formats', async () => {
    expect(await rendered(`{{ image(${photo}) }}`)).toBe(
      `<picture><source type="image/webp" srcset="${webp}" sizes="100vw"><img src="/media/photo.jpg" srcset="${srcset}" sizes="100vw" width="700" height="350" alt="A &quot;view&quot;" loading="lazy" decoding="async"></picture>`,
    );
  });

  it('takes class, alt, sizes, loading and width', async () => {
    const call = `{{ image(${photo}, class="wide", alt="<b>", sizes="50vw", loading="eager", width=200) }}`;
    expect(await rendered(call)).toBe(
      `<picture><source type="image/webp" srcset="${webp}" sizes="50vw"><img class="wide" src="/media/photo.jpg" srcset="${srcset}" sizes="50vw" width="200" height="100" alt="&lt;b&gt;" loading="eager" decoding="async"></picture>`,
    );
    expect(await rendered(`{{ image(${photo}, width=200, alt="") }}`)).toContain(
      'sizes="(min-width: 200px) 200px, 100vw" width="200" height="100" alt=""',
    );
  });

  it('has the fields of a file', async () => {
    const fields = `{% set x = image(${photo}) %}{{ x.id }} {{ x.url }} {{ x.width }}x{{ x.height }} {{ x.name }} {{ x.kind }}`;
    expect(await rendered(fields)).toBe(`${photo} /media/photo.jpg 700x350 photo.jpg image`);
    expect(await rendered(`{{ image(${photo}).placeholder|slice:":23" }}`)).toBe('data:image/webp;base64,');
    expect(await rendered(`{{ image(${photo})|thumbnail:"50x40" }}`)).toBe('/media/photo.jpg?thumb=50x40');
  });

  it.each([
    ['image(9999)', ''],
    ['image("x")', ''],
    ['image(none)', ''],
    ['image()', ''],
    ['file(9999)', ''],
    ['file(9999).url', ''],
  ])('%s prints nothing', async (call, expected) => {
    expect(await rendered(`[{{ ${call} }}{% if ${call} %}yes{% endif %}]`)).toBe(`[${expected}]`);
  });

  it('prints nothing for a file that is no image, and an SVG without variants', async () => {
    expect(await rendered(`[{{ image(${plan}) }}]`)).toBe('[]');
    const svg = await uploadOne(server, 'mark.svg', '<svg viewBox="0 0 40 20"/>');
    expect(await rendered(`{{ image(${svg['id']}) }}`)).toBe(
      '<img src="/media/mark.svg" width="40" height="20" alt="" loading="lazy" decoding="async">',
    );
  });

  it('refuses other arguments with a clear error', async () => {
    const { id } = await page(`{{ image(${photo}, klass="x") }}`);
    const answer = await call(server, 'GET', `/pages/${id}/render`);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      error: expect.stringContaining('image() has no argument "klass", only class'),
    });
  });
});

describe('file()', () => {
  it('has the fields of a file', async () => {
    expect(
      await rendered(
        `{% with f=file(${plan}) %}{{ f.name }} {{ f.url }} {{ f.mime }} {{ f.size }}{% endwith %}`,
      ),
    ).toBe('Plan.pdf /media/plan.pdf application/pdf 8');
  });
});

describe('a change of a file', () => {
  it('shows with the next request on the pages that read it, and only those are rendered anew', async () => {
    const { id } = await uploadOne(server, 'alt.jpg', await draw({ width: 100, height: 50 }), {
      alt: 'before',
    });
    const shows = (await page(`{{ image(${id}).alt }}`)).path;
    const other = (await page('{% now "u" %}')).path;
    const text = async (path: string) => bodyOf(await visit(server, path, { host }));
    expect(await text(shows)).toBe('before');
    await text(other);
    await callOk(server, 'PUT', `/files/${id}`, { alt: 'after' });
    expect(await text(shows)).toBe('after');
    await call(server, 'DELETE', `/files/${id}`);
    expect(await text(shows)).toBe('');
  });
});

describe('private files', () => {
  it('are signed in previews, preview links and with ?preview=1, never on live pages', async () => {
    const html = `{{ image(${secret}).url }} {{ file(${secret}).srcset }}`;
    const { id, path } = await page(html);
    const signed = /^\/media\/secret\.png\?exp=\d+&amp;sig=[0-9a-f]{64} /;
    expect(bodyOf(await visit(server, path, { host }))).toBe('/media/secret.png /media/secret.png 200w');
    const live = await fetch(`${server.url}/api/v1/pages/${id}/render`, {
      headers: { Authorization: `Bearer ${masterToken}` },
    });
    expect(await live.text()).not.toContain('sig=');

    const preview = await fetch(`${server.url}/api/v1/pages/${id}/preview`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${masterToken}` },
    });
    const link = await callOk(server, 'POST', `/pages/${id}/preview-links`, {});
    const { pathname, search } = new URL(String(link['url']));
    const texts = [
      bodyOf({ text: await preview.text() }),
      bodyOf(await visit(server, pathname + search, { host })),
      bodyOf(
        await visit(server, `${path}?preview=1`, { host, headers: { Cookie: `ic_session=${session}` } }),
      ),
    ];
    for (const text of texts) {
      expect(text).toMatch(signed);
      const address = text.split(' ')[0]?.replaceAll('&amp;', '&') ?? '';
      expect((await visit(server, address)).status).toBe(200);
      const exp = Number(/exp=(\d+)/.exec(address)?.[1]) - Date.now() / 1000;
      expect(exp).toBeGreaterThan(3595);
      expect(exp).toBeLessThan(7201);
    }
  });
});

describe('og_image_file_id', () => {
  const tags = (text: string) =>
    [...text.matchAll(/<meta (?:property|name)="((?:og:image|twitter:card)[^"]*)" content="([^"]*)">/g)].map(
      ([, key, value]) => `${key}=${value}`,
    );

  it('makes Open Graph tags, of the nearest page above if it is 0', async () => {
    await callOk(server, 'PUT', `/pages/${site}`, { og_image_file_id: photo });
    const section = await page('x');
    const below = await createPage(server, section.id, { published: true, slug: 'below' });
    const expected = [
      `og:image=http://${host}/media/photo.jpg`,
      'og:image:type=image/jpeg',
      'og:image:width=700',
      'og:image:height=350',
      'og:image:alt=A &quot;view&quot;',
      'twitter:card=summary_large_image',
    ];
    const at = `${section.path}/below`;
    expect(tags((await visit(server, at, { host })).text)).toEqual(expected);
    const other = await uploadOne(server, 'other.png', await draw({ width: 60, height: 60, format: 'png' }));
    await callOk(server, 'PUT', `/pages/${section.id}`, { og_image_file_id: other['id'] });
    expect(tags((await visit(server, at, { host })).text)[0]).toBe(`og:image=http://${host}/media/other.png`);
    await callOk(server, 'PUT', `/pages/${below}`, { og_image_file_id: secret });
    expect(tags((await visit(server, at, { host })).text)).toEqual(['twitter:card=summary']);
  });

  it('adds nothing to a page with a tag of its own', async () => {
    const { path } = await page('x', {
      og_image_file_id: photo,
      head: '<meta property="og:image" content="/own.png">',
    });
    const found = tags((await visit(server, path, { host })).text);
    expect(found.filter((tag) => tag.startsWith('og:image'))).toEqual(['og:image=/own.png']);
  });

  it('of a deleted file does not keep the page from being saved as it was answered', async () => {
    const other = await createSite(server, { title: freshName('site') });
    const { id } = await uploadOne(server, 'brief.png', await draw({ width: 60, height: 60, format: 'png' }));
    await callOk(server, 'PUT', `/pages/${other}`, { og_image_file_id: id, favicon_file_id: id });
    await callOk(server, 'DELETE', `/files/${id}`);
    const { updated_at: _, ...before } = await callOk(server, 'GET', `/pages/${other}`);
    const title = freshName('title');
    expect(await callOk(server, 'PUT', `/pages/${other}`, { ...before, title })).toMatchObject({
      ...before,
      title,
    });
    const again = await call(server, 'PUT', `/pages/${await createPage(server, other)}`, {
      body: { og_image_file_id: id },
    });
    expect(again.status).toBe(400);
  });

  it.each(['og_image_file_id', 'favicon_file_id'])('%s must be an image', async (field) => {
    for (const value of [plan, 99_999, -1]) {
      const answer = await call(server, 'PUT', `/pages/${site}`, { body: { [field]: value } });
      expect(answer).toMatchObject({ status: 400, body: { code: 'common.invalid', params: { field } } });
    }
    expect(await callOk(server, 'PUT', `/pages/${site}`, { [field]: photo })).toMatchObject({
      [field]: photo,
    });
    expect(await callOk(server, 'PUT', `/pages/${site}`, { [field]: 0 })).toMatchObject({ [field]: 0 });
  });
});

describe('favicon_file_id', () => {
  const icons = (text: string) =>
    [...text.matchAll(/<link rel="(icon|apple-touch-icon)"[^>]*>/g)].map(([tag]) => tag);
  const iconOf = async (name: string, width: number, format: 'png' | 'jpeg' | 'webp' = 'png') =>
    uploadOne(server, name, await draw({ width, height: width, format }));

  it.each([
    ['s.png', 119, 'png', 1],
    ['l.png', 120, 'png', 2],
    ['l.jpg', 500, 'jpeg', 2],
    ['l.webp', 500, 'webp', 1],
  ] as const)('%s with %i pixels gives every page its icons', async (name, width, format, count) => {
    const file = await iconOf(name, width, format);
    await callOk(server, 'PUT', `/pages/${site}`, { favicon_file_id: file['id'] });
    const { path } = await page('x');
    const all = [
      `<link rel="icon" href="${file['url']}" type="${file['mime']}" sizes="${width}x${width}">`,
      `<link rel="apple-touch-icon" href="${file['url']}">`,
    ];
    expect(icons((await visit(server, path, { host })).text)).toEqual(all.slice(0, count));
  });

  it('leaves an icon of the page itself', async () => {
    await callOk(server, 'PUT', `/pages/${site}`, { favicon_file_id: photo });
    const { path } = await page('x', { head: '<link rel="icon" href="/own.png">' });
    expect(icons((await visit(server, path, { host })).text)).toEqual(['<link rel="icon" href="/own.png">']);
  });
});

describe('favicon_file_id beside an apple-touch-icon of the page', () => {
  const own = '<link rel="apple-touch-icon" href="/own.png">';
  it.each([
    ['in head', { head: own }],
    ['in a document', { html: `<html><head>${own}</head><body></body></html>` }],
  ])('%s adds only the icon', async (_name, { html = 'x', ...fields }: { html?: string; head?: string }) => {
    const file = await uploadOne(server, 'mark.png', await draw({ width: 200, height: 200, format: 'png' }));
    await callOk(server, 'PUT', `/pages/${site}`, { favicon_file_id: file['id'] });
    const { text } = await visit(server, (await page(html, fields)).path, { host });
    expect(text.match(/rel="apple-touch-icon"/g)).toHaveLength(1);
    expect(text).toContain(own);
    expect(text).toContain(`<link rel="icon" href="${file['url']}"`);
  });
});

describe('GET /pages/{id}/mhtml', () => {
  it('contains the images of the page, each once and in one size, and no private ones', async () => {
    const { id } = await page(
      `{{ image(${photo}) }}<img src="/media/photo.jpg?w=320"><img src="/media/secret.png"><img src="/media/nothing.png">`,
    );
    const answer = await fetch(`${server.url}/api/v1/pages/${id}/mhtml`, {
      headers: { Authorization: `Bearer ${masterToken}` },
    });
    const text = await answer.text();
    const boundary = /boundary="([^"]+)"/.exec(answer.headers.get('content-type') ?? '')?.[1] ?? '';
    const parts = text.split(`--${boundary}`).slice(1, -1);
    const locations = parts.map((part) => /Content-Location: (.*)\r\n/.exec(part)?.[1]);
    expect(locations.slice(1)).toEqual([
      `http://${host}/media/photo.jpg`,
      `http://${host}/media/photo.jpg?w=320`,
    ]);
    const image = Buffer.from(parts[1]?.split('\r\n\r\n')[1] ?? '', 'base64');
    expect(image.equals((await visit(server, '/media/photo.jpg')).bytes)).toBe(true);
    const html = Buffer.from(parts[0]?.split('\r\n\r\n')[1] ?? '', 'base64').toString();
    expect(bodyOf({ text: html })).toContain('<img src="/media/photo.jpg" width="700"');
  });
});

describe('POST /markdown', () => {
  it.each([
    ['*Open* daily', '<p><em>Open</em> daily</p>'],
    ['<b>x</b>', '<p><b>x</b></p>'],
    ['', ''],
  ])('%j is %j', async (text, html) => {
    expect(await callOk(server, 'POST', '/markdown', { text })).toEqual({ html });
  });

  it('refuses what the filter refuses, with the field', async () => {
    for (const body of [{ text: 'x'.repeat(600_000) }, { text: '> '.repeat(500) }, {}, { text: 5 }]) {
      const answer = await call(server, 'POST', '/markdown', { body });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'common.invalid', params: { field: 'text' } },
      });
    }
  });
});

describe('cleanup', () => {
  it('lists what nothing refers to, and deletes it', async () => {
    const name = freshName('unused');
    const used = await uploadOne(server, `${name}-used.txt`, 'x');
    const free = await uploadOne(server, `${name}-free.txt`, 'four');
    const snippet = await callOk(server, 'POST', '/snippets', { name, content: `{% include "${name}" %}` });
    const inner = await callOk(server, 'POST', '/snippets', { name: `${name}-inner` });
    const asset = await callOk(server, 'POST', '/assets', {
      name,
      kind: 'css',
      content: `a{b:url(${used['url']})}`,
    });
    const linked = await callOk(server, 'POST', '/assets', { name: `${name}-2`, kind: 'css' });
    await page(`{% include "${name}-inner" %}`, { assets: [{ asset_id: linked['id'] }] });
    const mine = (list: unknown) =>
      Array.isArray(list) ? list.filter((entry) => String(entry.name).startsWith(name)) : list;

    const found = await callOk(server, 'GET', '/cleanup');
    expect(mine(found['files'])).toEqual([{ id: free['id'], name: free['name'], url: free['url'], size: 4 }]);
    expect(mine(found['assets'])).toEqual([{ id: asset['id'], name }]);
    expect(mine(found['snippets'])).toEqual([{ id: snippet['id'], name }]);

    expect(
      await callOk(server, 'POST', '/cleanup', {
        files: [free['id'], used['id'], 99_999],
        assets: [asset['id'], linked['id']],
        snippets: [snippet['id'], inner['id']],
      }),
    ).toEqual({
      deleted: { files: 1, assets: 1, snippets: 1 },
      bytes: 4,
      skipped: [
        { kind: 'file', id: used['id'] },
        { kind: 'asset', id: linked['id'] },
        { kind: 'snippet', id: inner['id'] },
      ],
    });
    expect((await visit(server, String(free['url']))).status).toBe(404);
    expect(mine((await callOk(server, 'GET', '/cleanup'))['files'])).toMatchObject([{ id: used['id'] }]);
    expect(await callOk(server, 'POST', '/cleanup', {})).toEqual({
      deleted: { files: 0, assets: 0, snippets: 0 },
      bytes: 0,
      skipped: [],
    });
  });

  it('sums up the bytes of all unused files', async () => {
    await upload(server, [{ name: 'sum.txt', bytes: '12345' }]);
    const { files, bytes } = await callOk(server, 'GET', '/cleanup');
    const sizes = Array.isArray(files) ? files.map(({ size }) => Number(size)) : [];
    expect(bytes).toBe(sizes.reduce((sum, size) => sum + size, 0));
  });
});
