import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callOk, outcomeOf } from '../support/api.ts';
import {
  createCollection,
  createPage,
  createSite,
  createSnippet,
  freshName,
  idOf,
} from '../support/content.ts';
import { addPerson, addRole, addTokenOf, type Person } from '../support/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { administrator, logIn, setUp, withSession } from '../support/session.ts';

/** The contract, "Roles and grants": previews, streams and bundles; what runs code in values. */
let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await startServer();
  await setUp(server);
  admin = await logIn(server, administrator);
});
afterAll(() => server.stop());

const notFound = { status: 404, code: 'common.notFound' };
const notAllowed = { status: 403, code: 'auth.notAllowed' };

async function roleWith(on: object, actions: readonly string[]): Promise<number> {
  return addRole(server, admin, [{ actions, on }]);
}
async function personWith(on: object, actions: readonly string[] = ['read']): Promise<Person> {
  return addPerson(server, admin, [await roleWith(on, actions)]);
}

describe('previews', () => {
  it('show what visitors see and the drafts that may be read', async () => {
    const host = `${freshName('host')}.test`;
    const slug = freshName('words');
    await createCollection(server, { slug, fields: [{ name: 'title', label: 'Title', type: 'text' }] });
    for (const published of [true, false])
      await callOk(server, 'POST', `/collections/${slug}/items`, {
        data: { title: published ? 'shown' : 'unfinished' },
        published,
      });
    const html = `<main>{% for one in data("${slug}") %}{{ one.title }};{% endfor %}{% for p in children(page.id) %}[{{ p.title }}]{% endfor %}</main>`;
    const home = await createSite(server, { domains: host, lang: 'en' });
    await callOk(server, 'PUT', `/pages/${home}`, { html, published: true });
    const mine = await createPage(server, home, { slug: 'mine', title: 'Mine', html: 'my draft' });
    await createPage(server, home, { slug: 'other', title: 'Other', html: 'their draft' });
    const person = await personWith({ pages: [mine] });
    const visit = async (path: string, session: string) => {
      const answer = await fetch(`${server.url}${path}`, {
        headers: { Host: host, Cookie: `ic_session=${session}` },
      });
      return { status: answer.status, text: await answer.text() };
    };
    expect((await visit('/mine?preview=1', person.session)).text).toContain('my draft');
    expect((await visit('/other?preview=1', person.session)).status).toBe(404);
    expect((await visit('/other?preview=1', admin)).text).toContain('their draft');
    const seen = (await visit('/?preview=1', person.session)).text;
    expect(seen).toContain('shown;');
    expect(seen).not.toContain('unfinished');
    expect(seen).not.toContain('[Other]');
    const data = await person.ask('POST', `/pages/${mine}/template-data`, {});
    expect(data.status).toBe(200);
    expect(asRecord(data.body)['collections']).toEqual([]);
    expect(JSON.stringify(data.body)).not.toContain('unfinished');
  });
});

describe('event streams', () => {
  it('tell only of what may be read, and end when the right ends', async () => {
    const home = await createSite(server);
    const [mine, other] = [await createPage(server, home), await createPage(server, home)];
    const role = await roleWith({ pages: [mine] }, ['read']);
    const token = await addTokenOf(server, admin, { role_ids: [role] });
    const stream = await fetch(`${server.url}/api/v1/changes?since=now`, {
      headers: { Authorization: `Bearer ${token.secret}`, Accept: 'text/event-stream' },
    });
    const text = stream.text();
    for (const id of [other, mine])
      await callOk(server, 'PUT', `/pages/${id}`, { title: freshName('title') });
    const changed = await call(
      server,
      'PUT',
      `/roles/${role}`,
      withSession(admin, { grants: [{ actions: ['read'], on: { pages: [other] } }] }),
    );
    expect(changed.status).toBe(200);
    const begin = performance.now();
    const told = await text;
    expect(performance.now() - begin).toBeLessThan(5_000);
    expect(told).toContain(`"id":${mine}`);
    expect(told).not.toContain(`"id":${other}`);
  });
});

describe('bundles', () => {
  it('tell callers without `settings` only which they take, and go out only as a whole', async () => {
    const viewer = await personWith({}, ['read']);
    const { version, schema, folder_formats } = await callOk(server, 'GET', '/bundle/info');
    const formats = { version, schema, folder_formats };
    expect(folder_formats).toEqual([1]);
    expect((await viewer.ask('GET', '/bundle/info')).body).toEqual(formats);
    const nobody = await addPerson(server, admin, []);
    expect(outcomeOf(await nobody.ask('GET', '/bundle/info'))).toEqual(notAllowed);
    const some = await addPerson(server, admin, [
      await roleWith({}, ['settings']),
      await roleWith({ kinds: ['page'] }, ['read']),
    ]);
    for (const [method, path] of [
      ['GET', '/bundle'],
      ['POST', '/bundle/backups'],
    ] as const)
      expect([path, outcomeOf(await some.ask(method, path))]).toEqual([path, notAllowed]);
    const all = await personWith({}, ['settings', 'read']);
    expect((await all.ask('GET', '/bundle?media=0')).status).toBe(200);
  });
});

describe('statistics', () => {
  it('are those of websites that may be read', async () => {
    const [one, other] = [await createSite(server), await createSite(server)];
    const person = await personWith({ sites: [one] });
    expect((await person.ask('GET', `/stats?root_id=${one}`)).status).toBe(200);
    for (const path of [
      `/stats?root_id=${other}`,
      `/stats/live?root_id=${other}`,
      `/notfound?root_id=${other}`,
      '/stats?root_id=all',
    ])
      expect([path, outcomeOf(await person.ask('GET', path))]).toEqual([path, notFound]);
  });
});

/** Values that run code, by type, and what is found in them. */
const attacks: readonly (readonly [type: 'html' | 'markdown', text: string, found: string])[] = [
  ['html', '<script>alert(1)</script>', 'script'],
  ['html', '<p>a</p><IMG SRC=x OnError=alert(1)>', 'onerror'],
  ['html', '<a href="java&#9;script&colon;alert(1)">x</a>', 'javascript:'],
  ['html', '<a href=" \u0001JaVaScRiPt:alert(1)">x</a>', 'javascript:'],
  ['html', '<iframe src="https://example.org"></iframe>', 'iframe'],
  ['html', '<svg onload=alert(1)>', 'onload'],
  ['markdown', 'a <b onclick="alert(1)">b</b>', 'onclick'],
  ['markdown', '[x](javascript:alert(1))', 'javascript:'],
  ['markdown', '<script>alert(1)</script>', 'script'],
];
const harmless = { html: '<p class="a">1 &lt; 2 <a href="/x">x</a></p>', markdown: '`<script>` **b**' };

describe('values of who may not write code', () => {
  const fields = [
    { name: 'title', label: 'Title', type: 'text' },
    { name: 'html', label: 'HTML', type: 'html' },
    { name: 'markdown', label: 'Markdown', type: 'markdown' },
    {
      name: 'group',
      label: 'Group',
      type: 'group',
      many: true,
      fields: [{ name: 'inner', label: 'I', type: 'html' }],
    },
  ];
  const refusal = (field: string, found: string) => ({
    status: 422,
    code: 'auth.unsafeHtml',
    params: { field, found: [found] },
  });
  const outcome = ({ status, body }: { status: number; body: unknown }) => {
    const { code, params } = asRecord(body);
    return { status, code, params: asRecord(params) };
  };
  const editing = ['read', 'edit', 'publish', 'delete'];
  let editor: Person;
  let slug: string;
  beforeAll(async () => {
    editor = await personWith({}, editing);
    slug = freshName('articles');
    await createCollection(server, { slug, fields });
  });

  it.each(attacks)('are refused in %s: %s', async (type, text, found) => {
    const path = `/collections/${slug}/items`;
    const expected = refusal(`data.${type}`, found);
    expect(outcome(await editor.ask('POST', path, { data: { [type]: text } }))).toEqual(expected);
    const item = idOf(asRecord((await editor.ask('POST', path, { data: { [type]: harmless[type] } })).body));
    expect(outcome(await editor.ask('PUT', `${path}/${item}`, { data: { [type]: text } }))).toEqual(expected);
    // Who may write code may, and what is stored then is no change.
    await callOk(server, 'PUT', `${path}/${item}`, { data: { [type]: text } });
    const kept = await editor.ask('PUT', `${path}/${item}`, {
      data: { [type]: text, title: freshName('title') },
    });
    expect(kept.status).toBe(200);
  });

  it('are refused in groups, blocks, regions, batches, change sets and CSV', async () => {
    const unsafe = '<img src=x onerror=alert(1)>';
    const items = `/collections/${slug}/items`;
    const ask = async (method: string, path: string, body: unknown) =>
      outcome(await editor.ask(method, path, body));
    const data = { group: [{ inner: 'a' }, { inner: unsafe }] };
    expect(await ask('POST', items, { data })).toEqual(refusal('data.group.1.inner', 'onerror'));
    const block = freshName('block');
    const params = [{ name: 'text', label: 'Text', type: 'html' }];
    await createSnippet(server, { name: block, content: '{{ text }}', schema: { block: true, params } });
    const html = '{% region words type="html" %}{% endregion %}{% region plain type="text" %}{% endregion %}';
    const home = await createSite(server);
    const page = await createPage(server, home, { html });
    const blocks = [{ type: block, params: { text: unsafe } }];
    expect(await ask('PUT', `/pages/${page}`, { blocks })).toEqual(refusal('blocks.0.text', 'onerror'));
    expect(await ask('PUT', `/pages/${page}`, { regions: { words: unsafe } })).toEqual(
      refusal('regions.words', 'onerror'),
    );
    expect((await editor.ask('PUT', `/pages/${page}`, { regions: { plain: unsafe } })).status).toBe(200);
    expect(await ask('POST', '/global-blocks', { name: freshName('global'), blocks })).toEqual(
      refusal('blocks.0.text', 'onerror'),
    );
    const operation = { op: 'create', kind: 'item', collection: slug, data: { html: unsafe } };
    expect((await ask('POST', '/batch', { ops: [operation] })).code).toBe('auth.unsafeHtml');
    const set = idOf(asRecord((await editor.ask('POST', '/change-sets', { name: freshName('set') })).body));
    expect((await ask('POST', `/change-sets/${set}/items`, operation)).code).toBe('auth.unsafeHtml');
    expect((await ask('PUT', `/change-sets/${set}/items/page/${page}`, { blocks })).code).toBe(
      'auth.unsafeHtml',
    );
    expect((await ask('PUT', `/pages/${page}/copy`, { regions: { words: unsafe } })).code).toBe(
      'auth.unsafeHtml',
    );
    const form = new FormData();
    form.set('file', new Blob([`title,html\na,"${unsafe}"\n`]), 'entries.csv');
    const csv = await fetch(`${server.url}/api/v1/collections/${slug}/import`, {
      method: 'POST',
      headers: { Cookie: `ic_session=${editor.session}`, 'X-IC-CSRF': '1' },
      body: form,
    });
    expect({ status: csv.status, code: asRecord(await csv.json())['code'] }).toEqual({
      status: 422,
      code: 'auth.unsafeHtml',
    });
  });

  it('may be published by others once who may write code has prepared them', async () => {
    const unsafe = '<img src=x onerror=alert(1)>';
    const item = idOf(await callOk(server, 'POST', `/collections/${slug}/items`, { data: { html: 'a' } }));
    const set = idOf(await callOk(server, 'POST', '/change-sets', { name: freshName('set') }));
    await callOk(server, 'PUT', `/change-sets/${set}/items/item/${item}`, { data: { html: unsafe } });
    expect((await editor.ask('POST', `/change-sets/${set}/publish`, {})).status).toBe(200);
  });
});
