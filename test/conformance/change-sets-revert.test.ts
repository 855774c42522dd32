import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import { createAsset, createPage, createSite, createSnippet, freshName, idOf } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { findTrashed } from '../support/trash.ts';

/** The contract, "Change sets": revert. */

let server: TestServer;
let site: number;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
});
afterAll(() => server.stop());

const release = async () => idOf(await callOk(server, 'POST', '/change-sets', { name: freshName('r') }));
const put = (set: number, of: string, body: object) =>
  callOk(server, 'PUT', `/change-sets/${set}/items/${of}`, body);
const add = (set: number, body: object) => callOk(server, 'POST', `/change-sets/${set}/items`, body);
const publish = (set: number) => callOk(server, 'POST', `/change-sets/${set}/publish`, {});
const revert = (set: number, body: object = {}) =>
  call(server, 'POST', `/change-sets/${set}/revert`, { body });
const reverted = async (set: number, body: object = {}) => {
  const answer = await revert(set, body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return asRecord(answer.body);
};
const page = (id: number) => callOk(server, 'GET', `/pages/${id}`);
const status = async (path: string) => (await call(server, 'GET', path)).status;
const redirects = async () =>
  (await callList(server, `/redirects?root_id=${site}`)).map(({ source, target }) => ({ source, target }));

/** Without times, which a revert leaves as they are. */
function withoutTimes(object: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !/_at$/.test(name)));
}

describe('reverting a published change set', () => {
  it('puts the fields back, by a new change set of purpose revert', async () => {
    const id = await createPage(server, site, { title: 'Before', meta_title: 'm' });
    const before = await page(id);
    const set = await release();
    await put(set, `page/${id}`, { title: 'After', meta_title: 'n' });
    await publish(set);
    const answer = await reverted(set);
    expect(answer).toMatchObject({ skipped: [], change_set: expect.any(Number) });
    expect(withoutTimes(await page(id))).toEqual(withoutTimes(before));
    const by = Number(answer['change_set']);
    expect(await callOk(server, 'GET', `/change-sets/${by}`)).toMatchObject({
      ...{ purpose: 'revert', state: 'published', reverted_by: null, items: 1 },
      published_at: expect.any(Number),
    });
    expect(await callList(server, `/change-sets/${by}/items`)).toMatchObject([
      { kind: 'page', id, op: 'update', fields: expect.arrayContaining(['title', 'meta_title']) },
    ]);
    expect(await callOk(server, 'GET', `/change-sets/${set}`)).toMatchObject({ reverted_by: by });
    expect((await callList(server, '/change-sets?purpose=revert')).map((one) => one['id'])).toContain(by);
  });

  it('leaves what was changed since, and says what', async () => {
    const id = await createPage(server, site, { title: 'Before', meta_title: 'm' });
    const set = await release();
    await put(set, `page/${id}`, { title: 'After', meta_title: 'n' });
    await publish(set);
    await callOk(server, 'PUT', `/pages/${id}`, { title: 'Later' });
    const { skipped } = await reverted(set);
    expect(skipped).toEqual([{ kind: 'page', id, field: 'title', mine: 'After', live: 'Later' }]);
    expect(await page(id)).toMatchObject({ title: 'Later', meta_title: 'm' });
  });

  it('leaves a field that somebody has put back already', async () => {
    const id = await createPage(server, site, { title: 'Before' });
    const set = await release();
    await put(set, `page/${id}`, { title: 'After' });
    await publish(set);
    await callOk(server, 'PUT', `/pages/${id}`, { title: 'Before' });
    expect(await reverted(set)).toMatchObject({ skipped: [] });
    expect(await page(id)).toMatchObject({ title: 'Before' });
  });

  it('tells of objects that are gone since', async () => {
    const id = await createSnippet(server, { content: 'a' });
    const set = await release();
    await put(set, `snippet/${id}`, { content: 'b' });
    await publish(set);
    await call(server, 'DELETE', `/snippets/${id}`);
    const { skipped } = await reverted(set);
    expect(skipped).toMatchObject([{ kind: 'snippet', id, field: 'deleted', live: null }]);
    expect(await status(`/snippets/${id}`)).toBe(404);
  });

  it('moves created objects to the trash', async () => {
    const set = await release();
    const data = { parent_id: site, title: 'New', slug: freshName('n') };
    const id = idOf(await add(set, { op: 'create', kind: 'page', data }));
    await publish(set);
    expect(await reverted(set)).toMatchObject({ skipped: [] });
    expect(await status(`/pages/${id}`)).toBe(404);
    expect((await findTrashed(server, 'page', id)).object_id).toBe(id);
  });

  it('leaves created objects that others use by now, with what uses them', async () => {
    const set = await release();
    const make = async () =>
      idOf(await add(set, { op: 'create', kind: 'snippet', data: { name: freshName('s'), content: 'x' } }));
    const [used, free] = [await make(), await make()];
    await publish(set);
    const { name } = await callOk(server, 'GET', `/snippets/${used}`);
    const user = await createPage(server, site, { title: 'User', html: `{% include "${name}" %}` });
    const { skipped } = await reverted(set);
    expect(skipped).toMatchObject([{ kind: 'snippet', id: used, by: [{ kind: 'page', id: user }] }]);
    expect(await status(`/snippets/${used}`)).toBe(200);
    expect(await status(`/snippets/${free}`)).toBe(404);
  });

  it('removes created objects that only each other use', async () => {
    const set = await release();
    const name = freshName('s');
    const snippet = idOf(await add(set, { op: 'create', kind: 'snippet', data: { name, content: 'x' } }));
    const data = { parent_id: site, title: 'New', slug: freshName('n'), html: `{% include "${name}" %}` };
    const parent = idOf(await add(set, { op: 'create', kind: 'page', data }));
    const child = idOf(
      await add(set, { op: 'create', kind: 'page', data: { parent_id: parent, title: 'Child', slug: 'c' } }),
    );
    await publish(set);
    expect(await reverted(set)).toMatchObject({ skipped: [] });
    for (const path of [`/snippets/${snippet}`, `/pages/${parent}`, `/pages/${child}`])
      expect(await status(path)).toBe(404);
  });

  it('brings deleted objects back, with their ID and what was in them', async () => {
    const id = await createPage(server, site, { title: 'Gone' });
    const child = await createPage(server, id, { title: 'Child' });
    const before = [await page(id), await page(child)];
    const set = await release();
    await add(set, { op: 'delete', kind: 'page', id });
    await publish(set);
    expect(await status(`/pages/${child}`)).toBe(404);
    expect(await reverted(set)).toMatchObject({ skipped: [], renumbered: [] });
    expect([await page(id), await page(child)].map(withoutTimes)).toEqual(before.map(withoutTimes));
  });

  it('says so if a deleted object is in the trash no more', async () => {
    const id = await createSnippet(server);
    const set = await release();
    await add(set, { op: 'delete', kind: 'snippet', id });
    await publish(set);
    const { id: entry } = await findTrashed(server, 'snippet', id);
    await call(server, 'DELETE', `/trash/${entry}`);
    expect((await reverted(set))['skipped']).toMatchObject([{ kind: 'snippet', id, field: 'deleted' }]);
  });

  it('takes the redirects back that the publication made, and makes none', async () => {
    const slug = freshName('old');
    const id = await createPage(server, site, { slug, title: 'P', published: true });
    const taken = freshName('taken');
    await callOk(server, 'POST', '/redirects', {
      root_id: site,
      source: `/${taken}`,
      target: '/x',
      status: 302,
    });
    const before = await redirects();
    const set = await release();
    await put(set, `page/${id}`, { slug: taken });
    await publish(set);
    expect(await redirects()).toContainEqual({ source: `/${slug}`, target: `/${taken}` });
    await reverted(set);
    expect(await redirects()).toEqual(before);
    expect(await page(id)).toMatchObject({ slug });
  });

  it('puts moved pages back to their place', async () => {
    const parent = await createPage(server, site, { title: 'Parent' });
    const ids: number[] = [];
    for (const title of ['1', '2', '3', '4']) ids.push(await createPage(server, parent, { title }));
    const other = await createPage(server, site, { title: 'Other' });
    const inside = await createPage(server, other, { title: 'Inside' });
    const all = async () => Promise.all([...ids, inside].map(async (id) => withoutTimes(await page(id))));
    const before = await all();
    const set = await release();
    await add(set, { op: 'move', kind: 'page', id: ids[1], data: { parent_id: other, index: 0 } });
    await add(set, { op: 'move', kind: 'page', id: ids[3], data: { parent_id: parent, index: 0 } });
    await publish(set);
    expect(await all()).not.toEqual(before);
    expect(await reverted(set)).toMatchObject({ skipped: [] });
    expect(await all()).toEqual(before);
  });

  it('puts language versions back', async () => {
    const [one, two] = [
      await createPage(server, site, { lang: 'de' }),
      await createPage(server, site, { lang: 'en' }),
    ];
    const set = await release();
    await add(set, { op: 'link', kind: 'page', id: one, data: { page_id: two } });
    await publish(set);
    expect(await callList(server, `/pages/${one}/translations`)).toHaveLength(1);
    await reverted(set);
    expect(await callList(server, `/pages/${one}/translations`)).toEqual([]);
    expect(await page(two)).toMatchObject({ translation_group: '' });
  });

  it('frees names before others take them back', async () => {
    const slug = freshName('a');
    const id = await createPage(server, site, { slug, title: 'P' });
    const set = await release();
    await put(set, `page/${id}`, { slug: freshName('b') });
    const data = { parent_id: site, title: 'Successor', slug };
    const created = idOf(await add(set, { op: 'create', kind: 'page', data }));
    await publish(set);
    expect(await reverted(set)).toMatchObject({ skipped: [] });
    expect(await page(id)).toMatchObject({ slug });
    expect(await status(`/pages/${created}`)).toBe(404);
  });

  it('is one commit with a version for each object, told as a publication', async () => {
    const id = await createPage(server, site, { title: 'One' });
    const set = await release();
    await put(set, `page/${id}`, { title: 'Two' });
    await publish(set);
    const versions = async () => (await callList(server, `/revisions?kind=page&id=${id}`)).length;
    const count = await versions();
    const { version: since } = await callOk(server, 'GET', '/changes?since=0&limit=1000');
    const { change_set: by } = await reverted(set);
    expect(await versions()).toBe(count + 1);
    const { changes } = await callOk(server, 'GET', `/changes?since=${since}`);
    expect(changes).toMatchObject([
      { kind: 'page', action: 'updated', id },
      { kind: 'change_set', action: 'published', id: by },
    ]);
  });

  it('can be tried first: a dry run changes nothing', async () => {
    const id = await createPage(server, site, { title: 'Before', meta_title: 'm' });
    const set = await release();
    await put(set, `page/${id}`, { title: 'After', meta_title: 'n' });
    await publish(set);
    await callOk(server, 'PUT', `/pages/${id}`, { title: 'Later' });
    const sets = await callList(server, '/change-sets');
    const tried = await reverted(set, { dry_run: true });
    expect(tried).toMatchObject({
      ...{ change_set: null, faults: [] },
      skipped: [{ kind: 'page', id, field: 'title', mine: 'After', live: 'Later' }],
    });
    expect(await callList(server, '/change-sets')).toEqual(sets);
    expect(await page(id)).toMatchObject({ title: 'Later', meta_title: 'n' });
    expect((await reverted(set))['skipped']).toEqual(tried['skipped']);
  });

  it('is refused a second time', async () => {
    const id = await createPage(server, site, { title: 'Before' });
    const set = await release();
    await put(set, `page/${id}`, { title: 'After' });
    await publish(set);
    await reverted(set);
    expect(outcomeOf(await revert(set))).toEqual({ status: 409, code: 'changeset.reverted' });
    expect(outcomeOf(await revert(set, { dry_run: true }))).toEqual({
      status: 409,
      code: 'changeset.reverted',
    });
  });

  it('is refused for one that is not published', async () => {
    const set = await release();
    expect(outcomeOf(await revert(set))).toEqual({ status: 409, code: 'changeset.closed' });
    await call(server, 'DELETE', `/change-sets/${set}`);
    expect(outcomeOf(await revert(set))).toEqual({ status: 409, code: 'changeset.closed' });
    expect((await revert(999_999)).status).toBe(404);
  });

  it('can be reverted itself', async () => {
    const [id, asset] = [await createPage(server, site, { title: 'Before' }), await createAsset(server)];
    const set = await release();
    await put(set, `page/${id}`, { title: 'After' });
    await add(set, { op: 'delete', kind: 'asset', id: asset });
    const data = { name: freshName('s'), content: 'x' };
    const created = idOf(await add(set, { op: 'create', kind: 'snippet', data }));
    await publish(set);
    const { change_set: by } = await reverted(set);
    expect(await reverted(Number(by))).toMatchObject({ skipped: [] });
    expect(await page(id)).toMatchObject({ title: 'After' });
    expect(await status(`/assets/${asset}`)).toBe(404);
    expect(await callOk(server, 'GET', `/snippets/${created}`)).toMatchObject(data);
  });

  it('is all or nothing: what a rule refuses now, refuses it', async () => {
    const slug = freshName('a');
    const [id, other] = [
      await createPage(server, site, { slug }),
      await createPage(server, site, { title: 'x' }),
    ];
    const set = await release();
    await put(set, `page/${id}`, { slug: freshName('b') });
    await put(set, `page/${other}`, { title: 'y' });
    await publish(set);
    await createPage(server, site, { slug });
    const refused = await revert(set);
    expect(refused.body).toMatchObject({ code: 'page.slugTaken', params: { kind: 'page', id } });
    expect(await page(other)).toMatchObject({ title: 'y' });
    expect((await reverted(set, { dry_run: true }))['faults']).toMatchObject([
      { code: 'page.slugTaken', params: { kind: 'page', id } },
    ]);
    expect(await callOk(server, 'GET', `/change-sets/${set}`)).toMatchObject({ reverted_by: null });
  });
});
