import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, callOk, outcomeOf } from '../support/api.ts';
import { createSite, createSnippet } from '../support/content.ts';
import { runScenarios } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { setUp } from '../support/session.ts';

/** Pens (Data, Automation and Operations, "Pen", "Pens"; Core, "Public non-API routes"). */

let server: TestServer;
let session: string;

beforeAll(async () => {
  server = await startServer();
  session = await setUp(server);
  await createSite(server, { title: 'House', domains: '' });
});
afterAll(() => server.stop());

async function createPen(fields: object): Promise<string> {
  return String((await callOk(server, 'POST', '/pens', fields)).uuid);
}

/** A request as a browser sends it. */
function get(path: string, { asAdmin = false, headers = {} } = {}): Promise<Response> {
  const cookie = asAdmin ? { Cookie: `ic_session=${session}` } : {};
  return fetch(`${server.url}/cms-admin/pen/${path}`, { headers: { ...cookie, ...headers } });
}

describe('a pen', () => {
  it('has defaults and an address that the server sets', async () => {
    const uuid = '00000000-0000-4000-8000-000000000000';
    const pen = await callOk(server, 'POST', '/pens', { title: 'One', uuid, id: 99, created_at: 1 });
    expect(pen).toEqual({
      id: expect.any(Number),
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      title: 'One',
      html: '',
      css: '',
      js: '',
      public: false,
      show_code: true,
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
      warnings: [],
    });
    expect([pen.id, pen.uuid, pen.created_at]).not.toEqual(expect.arrayContaining([99, uuid, 1]));
    const changed = await callOk(server, 'PUT', `/pens/${pen.uuid}`, { uuid, css: 'p {}', public: true });
    expect(changed).toMatchObject({ id: pen.id, uuid: pen.uuid, title: 'One', css: 'p {}', public: true });
    expect(asRecord((await call(server, 'GET', `/pens/${pen.uuid}`)).body)).toMatchObject({ css: 'p {}' });
  });

  it('is refused with a stale base_updated_at', async () => {
    const pen = await callOk(server, 'POST', '/pens', { title: 'Two' });
    const body = { title: 'Three', base_updated_at: Number(pen.updated_at) - 1 };
    expect(outcomeOf(await call(server, 'PUT', `/pens/${pen.uuid}`, { body }))).toEqual({
      status: 409,
      code: 'common.conflict',
    });
  });

  it('is listed, the one that was changed last first, until it is deleted', async () => {
    const [first, second] = [await createPen({ title: 'A' }), await createPen({ title: 'B' })];
    await callOk(server, 'PUT', `/pens/${first}`, { title: 'A2' });
    await callOk(server, 'PUT', `/pens/${first}`, { title: 'A3' });
    const uuids = ((await call(server, 'GET', '/pens')).body as { uuid: string }[]).map(({ uuid }) => uuid);
    expect(uuids.indexOf(first)).toBeLessThan(uuids.indexOf(second));
    expect((await call(server, 'DELETE', `/pens/${first}`)).status).toBe(204);
    expect((await call(server, 'GET', `/pens/${first}`)).status).toBe(404);
  });

  it('warns of its texts, and counts as use of what they name', async () => {
    const snippet = await createSnippet(server, { name: 'used-by-pen', content: 'x' });
    const pen = await callOk(server, 'POST', '/pens', {
      title: 'User',
      html: '{% include "used-by-pen" %}{% if %}',
      js: 'let let = 1',
    });
    expect((pen.warnings as { code: string }[]).map(({ code }) => code)).toEqual([
      'template.syntax',
      'asset.syntax',
    ]);
    await callOk(server, 'PUT', `/pens/${pen.uuid}`, { html: '{% include "used-by-pen" %}', js: '' });
    const { usage } = await callOk(server, 'GET', `/usage?kind=snippet&id=${snippet}`);
    expect(usage).toEqual([{ kind: 'pen', id: pen.id, title: 'User' }]);
  });

  it('leaves the page cache as it is', async () => {
    await fetch(server.url);
    expect((await fetch(server.url)).headers.get('x-cache')).toBe('HIT');
    await callOk(server, 'PUT', `/pens/${await createPen({ title: 'C' })}`, { html: 'x' });
    expect((await fetch(server.url)).headers.get('x-cache')).toBe('HIT');
  });

  runScenarios(
    () => server,
    [
      {
        name: 'a text as flag',
        method: 'POST',
        path: '/pens',
        body: { public: 'yes' },
        status: 400,
        code: 'common.invalid',
      },
      {
        name: 'a number as CSS',
        method: 'POST',
        path: '/pens',
        body: { css: 1 },
        status: 400,
        code: 'common.invalid',
      },
      { name: 'an unknown pen', method: 'GET', path: '/pens/none', status: 404, code: 'common.notFound' },
      { name: 'a number for a pen', method: 'GET', path: '/pens/1', status: 404, code: 'common.notFound' },
      {
        name: 'a preview of an unknown pen',
        method: 'POST',
        path: '/pens/none/preview',
        body: {},
        status: 404,
        code: 'common.notFound',
      },
    ],
  );
});

describe('the preview', () => {
  it('shows unsaved fields, and drafts', async () => {
    const uuid = await createPen({
      title: 'Saved',
      html: '<p>{{ preview }} {{ page.title }}</p>',
      css: 'p { color: red }',
    });
    const { html } = await callOk(server, 'POST', `/pens/${uuid}/preview`, {
      title: 'New',
      js: 'let a = "</script>"',
    });
    expect(html).toContain('<p>True New</p>');
    expect(html).toContain('<style>\np { color: red }\n</style>');
    expect(html).toContain('let a = "<\\/script>"');
    expect(html).toContain('<meta name="robots" content="noindex, nofollow">');
  });

  it('answers 422 for an error in the template', async () => {
    const uuid = await createPen({ title: 'Wrong' });
    const answer = await call(server, 'POST', `/pens/${uuid}/preview`, {
      body: { html: 'a\n{{ b|nothing }}' },
    });
    expect([answer.status, asRecord(answer.body)['error']]).toEqual([422, expect.stringContaining('pen:2:')]);
  });

  it('is closed to read-only tokens', async () => {
    const uuid = await createPen({ title: 'Closed' });
    const token = await addToken(server, 'reader', false);
    expect(outcomeOf(await call(server, 'POST', `/pens/${uuid}/preview`, { token, body: {} }))).toEqual({
      status: 403,
      code: 'auth.readOnly',
    });
  });
});

describe('the public address', () => {
  const hostile = '<script>top.document; document.cookie</script><b>&</b>';

  it('shows result and code, without scripts of its own', async () => {
    const uuid = await createPen({ title: '<i>T', html: hostile, css: 'b {}', public: true });
    const view = await get(uuid);
    expect([view.status, view.headers.get('x-robots-tag'), view.headers.get('cache-control')]).toEqual([
      200,
      'noindex, nofollow',
      'no-store',
    ]);
    expect(view.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    const text = await view.text();
    expect(text).toContain('&lt;script&gt;top.document');
    expect(text).toContain('<title>&lt;i&gt;T</title>');
    expect(text).not.toContain('<script');
    expect(text).toContain(`src="/cms-admin/pen/${uuid}/result" sandbox="allow-forms`);
  });

  it('shows the result without an origin', async () => {
    const uuid = await createPen({ title: 'T', html: hostile, public: true });
    const result = await get(`${uuid}/result`);
    expect(result.status).toBe(200);
    expect(result.headers.get('content-security-policy')).toBe(
      'sandbox allow-forms allow-modals allow-popups allow-scripts',
    );
    expect(result.headers.get('x-robots-tag')).toBe('noindex, nofollow');
    expect(await result.text()).toContain(hostile);
  });

  it('is the result itself if the code is not to be seen', async () => {
    const uuid = await createPen({
      title: 'T',
      html: '<b>only</b>{# secret #}',
      public: true,
      show_code: false,
    });
    for (const path of [uuid, `${uuid}?view=1`, `${uuid}/result`]) {
      const answer = await get(path);
      expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox /);
      const text = await answer.text();
      expect(text).toContain('<b>only</b>');
      expect(text).not.toContain('secret');
    }
  });

  it.each(['', '/result', '?view=1'])(
    'with %j of a private pen is as that of an unknown one',
    async (path) => {
      const uuid = await createPen({ title: 'T', html: 'secret' });
      const [hidden, unknown] = [
        await get(uuid + path),
        await get(`00000000-0000-4000-8000-000000000000${path}`),
      ];
      expect([hidden.status, await hidden.text()]).toEqual([404, await unknown.text()]);
      expect([...hidden.headers].filter(([name]) => name !== 'date')).toEqual(
        [...unknown.headers].filter(([name]) => name !== 'date'),
      );
    },
  );

  it('is the admin for administrators, who see private pens too', async () => {
    const uuid = await createPen({ title: 'Mine', html: '<b>mine</b>' });
    expect(await (await get(uuid, { asAdmin: true })).text()).toContain('<div id="root">');
    expect(await (await get(`${uuid}?view=1`, { asAdmin: true })).text()).toContain('&lt;b&gt;mine');
    expect(await (await get(`${uuid}/result`, { asAdmin: true })).text()).toContain('<b>mine</b>');
  });

  it('shows only what visitors may see, and no marks', async () => {
    const uuid = await createPen({ title: 'T', html: '{{ preview }}{% blocks page.blocks %}', public: true });
    const text = await (await get(`${uuid}/result`, { asAdmin: true })).text();
    expect(text).toContain('False');
    expect(text).not.toContain('ic-block');
  });

  it('tells the reason of an error to administrators only', async () => {
    const uuid = await createPen({ title: 'T', html: '{{ a|nothing }}', public: true });
    const [visitor, admin] = [await get(`${uuid}/result`), await get(`${uuid}/result`, { asAdmin: true })];
    expect([visitor.status, await visitor.text()]).toEqual([500, 'The pen cannot be shown\n']);
    expect([admin.status, await admin.text()]).toEqual([500, expect.stringContaining('nothing')]);
  });

  it('obeys the policy of the security settings too', async () => {
    const uuid = await createPen({ title: 'T', public: true });
    await callOk(server, 'PUT', '/security', { csp: "img-src 'self'", framing: 'deny' });
    const { headers } = await get(`${uuid}/result`);
    expect(headers.get('content-security-policy')).toMatch(/^sandbox [a-z -]+, img-src 'self'/);
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    await callOk(server, 'PUT', '/security', { csp: '', framing: 'sameorigin' });
  });

  it('is open where the admin is closed', async () => {
    const uuid = await createPen({ title: 'T', html: 'open', public: true });
    await callOk(server, 'PUT', '/system', { headless: true });
    expect(await (await get(`${uuid}/result`)).text()).toContain('open');
    expect(await (await get(uuid, { asAdmin: true })).text()).toContain('<h2>HTML</h2>');
    expect((await fetch(`${server.url}/cms-admin/`)).status).toBe(404);
    await callOk(server, 'PUT', '/system', { headless: false });
  });
});

describe('the rate limit', () => {
  it('counts anonymous requests, and not those of administrators', async () => {
    const limited = await startServer({ args: ['-rate-limit', '2'], rateLimited: true });
    const cookie = { Cookie: `ic_session=${await setUp(limited)}` };
    const uuid = String((await callOk(limited, 'POST', '/pens', { public: true })).uuid);
    const address = `${limited.url}/cms-admin/pen/${uuid}/result`;
    const statuses = [];
    for (let request = 0; request < 4; request += 1) statuses.push((await fetch(address)).status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThan(4);
    const refused = await fetch(address);
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect((await fetch(address, { headers: cookie })).status).toBe(200);
    await limited.stop();
  });
});
