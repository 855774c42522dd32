import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import {
  createGlobalBlock,
  createPage,
  createSite,
  createSnippet,
  freshName,
  idOf,
} from '../support/content.ts';
import { addPerson, addRole, type Person } from '../support/people.ts';
import { notFound } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { setUp } from '../support/session.ts';

/** The contract, "Roles and grants": reviews and comments of change sets. */

let server: TestServer;
let site: number;
let reader: string;
let reviewer: string;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
  reader = await addToken(server, 'reader', false);
  reviewer = await addToken(server, 'reviewer', true);
});
afterAll(() => server.stop());

const soon = () => Math.floor(Date.now() / 1000) + 3600;
const release = async () => idOf(await callOk(server, 'POST', '/change-sets', { name: freshName('r') }));
const get = (set: number) => callOk(server, 'GET', `/change-sets/${set}`);
const put = (set: number, page: number, body: object) =>
  callOk(server, 'PUT', `/change-sets/${set}/items/page/${page}`, body);
const review = (set: number, body: unknown, token = reviewer) =>
  call(server, 'POST', `/change-sets/${set}/review`, { body, token });
const publish = (set: number, body: object = {}) =>
  call(server, 'POST', `/change-sets/${set}/publish`, { body });
const notApproved = { status: 409, code: 'changeset.notApproved' };

/** A release that changes the title of a page. */
async function prepare(): Promise<{ set: number; page: number }> {
  const [set, page] = [await release(), await createPage(server, site, { title: 'Live' })];
  await put(set, page, { title: 'Mine' });
  return { set, page };
}

describe('a review', () => {
  it.each(['requested', 'approved', 'changes'])('can be %s, with a note', async (state) => {
    const { set } = await prepare();
    expect(await get(set)).toMatchObject({ review: null });
    const answer = await review(set, { state, note: 'n' });
    const shown = {
      ...{ state, note: 'n', by: 'reviewer', holds: true },
      ...{ at: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    };
    expect(answer).toMatchObject({ status: 200, body: shown });
    expect((await get(set))['review']).toEqual(shown);
  });

  it('is that of the last who said something, whose note may be missing', async () => {
    const { set } = await prepare();
    await review(set, { state: 'changes', note: 'why' });
    expect((await review(set, { state: 'requested' })).body).toMatchObject({ state: 'requested', note: '' });
    expect(await get(set)).toMatchObject({ review: { state: 'requested' } });
  });

  it.each<[string, unknown]>([
    ['no state', { note: 'n' }],
    ['an unknown state', { state: 'maybe' }],
    ['a number as note', { state: 'approved', note: 1 }],
    ['no object', []],
  ])('with %s is 400', async (_name, body) => {
    const { set } = await prepare();
    expect(outcomeOf(await review(set, body))).toEqual({ status: 400, code: 'common.invalid' });
    expect(await get(set)).toMatchObject({ review: null });
  });

  it('needs write access and an open set', async () => {
    const { set } = await prepare();
    const body = { state: 'approved' };
    expect((await review(set, body, reader)).status).toBe(403);
    expect((await call(server, 'POST', `/change-sets/${set}/review`, { body, token: null })).status).toBe(
      404,
    );
    expect(outcomeOf(await review(999_999, body))).toEqual(notFound);
    await call(server, 'DELETE', `/change-sets/${set}`);
    expect(outcomeOf(await review(set, body))).toEqual({ status: 409, code: 'changeset.closed' });
    const published = await prepare();
    await publish(published.set);
    expect(outcomeOf(await review(published.set, body))).toEqual({ status: 409, code: 'changeset.closed' });
  });

  it('is approved by nobody who has made the set or changed something in it', async () => {
    const { set, page } = await prepare();
    const own = { state: 'approved' };
    const master = await call(server, 'POST', `/change-sets/${set}/review`, { body: own });
    expect(master).toMatchObject({
      status: 403,
      body: {
        code: 'auth.notAllowed',
        params: { action: 'publish', kind: 'change_set', id: set, needs: expect.any(String) },
      },
    });
    const asked = await call(server, 'POST', `/change-sets/${set}/review`, { body: { state: 'requested' } });
    expect(asked.status).toBe(200);
    const path = `/change-sets/${set}/items/page/${page}`;
    await call(server, 'PUT', path, { body: { title: 'Reviewed' }, token: reviewer });
    expect(outcomeOf(await review(set, own))).toEqual({ status: 403, code: 'auth.notAllowed' });
    expect((await review(set, own, await addToken(server, freshName('third'), true))).status).toBe(200);
  });

  it('does not take a token for somebody else because it names a person', async () => {
    const { set } = await prepare();
    const answer = await call(server, 'POST', `/change-sets/${set}/review`, {
      body: { state: 'approved' },
      headers: { 'X-IC-On-Behalf-Of': 'ada' },
    });
    expect(outcomeOf(answer)).toEqual({ status: 403, code: 'auth.notAllowed' });
  });

  it.each<[string, (of: { set: number; page: number }) => Promise<unknown>]>([
    ['a field is changed', ({ set, page }) => put(set, page, { title: 'Other' })],
    [
      'an object comes in',
      ({ set }) =>
        callOk(server, 'POST', `/change-sets/${set}/items`, {
          ...{ op: 'create', kind: 'snippet', data: { name: freshName('s'), content: '' } },
        }),
    ],
    ['an object goes', ({ set, page }) => call(server, 'DELETE', `/change-sets/${set}/items/page/${page}`)],
    [
      'a batch adds something',
      ({ set }) =>
        callOk(server, 'POST', `/batch?change_set=${set}`, {
          ops: [{ op: 'create', kind: 'snippet', data: { name: freshName('s'), content: '' } }],
        }),
    ],
    [
      'an object is deleted in it',
      ({ set, page }) =>
        callOk(server, 'POST', `/change-sets/${set}/items`, { op: 'delete', kind: 'page', id: page }),
    ],
  ])('falls when %s', async (_name, change) => {
    const prepared = await prepare();
    await review(prepared.set, { state: 'approved' });
    await change(prepared);
    expect(await get(prepared.set)).toMatchObject({ review: { state: 'approved', holds: false } });
  });

  it('stays when the set is renamed or scheduled, and when the page changes live', async () => {
    const { set, page } = await prepare();
    await review(set, { state: 'approved' });
    const at = soon();
    await callOk(server, 'PUT', `/change-sets/${set}`, { name: 'Other', note: 'n', publish_at: at });
    await callOk(server, 'PUT', `/pages/${page}`, { html: 'live' });
    expect(await get(set)).toMatchObject({ review: { state: 'approved', holds: true } });
  });
});

describe('with review_required', () => {
  it('is switched with live_saves in /system', async () => {
    const before = await callOk(server, 'GET', '/system');
    expect(before).toMatchObject({ live_saves: false, review_required: false });
    expect(await callOk(server, 'PUT', '/system', { live_saves: true })).toMatchObject({
      live_saves: true,
      review_required: false,
    });
    expect(await callOk(server, 'PUT', '/system', { review_required: true })).toMatchObject({
      live_saves: true,
      review_required: true,
    });
    for (const body of [{ live_saves: 'yes' }, { review_required: 1 }, { review_required: null }])
      expect(outcomeOf(await call(server, 'PUT', '/system', { body }))).toEqual({
        status: 400,
        code: 'common.invalid',
      });
    expect(await callOk(server, 'PUT', '/system', { live_saves: false, review_required: false })).toEqual(
      before,
    );
  });

  it('only approved sets are published', async () => {
    const { set, page } = await prepare();
    await callOk(server, 'PUT', '/system', { review_required: true });
    try {
      expect(outcomeOf(await publish(set))).toEqual(notApproved);
      for (const state of ['requested', 'changes']) {
        await review(set, { state });
        expect(outcomeOf(await publish(set))).toEqual(notApproved);
      }
      expect(asRecord((await publish(set, { dry_run: true })).body)['faults']).toMatchObject([
        { code: 'changeset.notApproved' },
      ]);
      await review(set, { state: 'approved' });
      await put(set, page, { title: 'Later' });
      expect(outcomeOf(await publish(set))).toEqual(notApproved);
      expect(await callOk(server, 'GET', `/pages/${page}`)).toMatchObject({ title: 'Live' });
      await review(set, { state: 'approved' });
      expect(asRecord((await publish(set, { dry_run: true })).body)['faults']).toEqual([]);
      expect((await publish(set)).status).toBe(200);
      expect(await callOk(server, 'GET', `/pages/${page}`)).toMatchObject({ title: 'Later' });
    } finally {
      await callOk(server, 'PUT', '/system', { review_required: false });
    }
  });

  it('only approved sets are scheduled, and a schedule can be taken back', async () => {
    const { set } = await prepare();
    await callOk(server, 'PUT', '/system', { review_required: true });
    try {
      const schedule = { body: { publish_at: soon() } };
      expect(outcomeOf(await call(server, 'PUT', `/change-sets/${set}`, schedule))).toEqual(notApproved);
      expect(await get(set)).toMatchObject({ state: 'open', publish_at: null });
      await review(set, { state: 'approved' });
      expect((await call(server, 'PUT', `/change-sets/${set}`, schedule)).status).toBe(200);
      expect(await callOk(server, 'PUT', `/change-sets/${set}`, { publish_at: null })).toMatchObject({
        state: 'open',
      });
    } finally {
      await callOk(server, 'PUT', '/system', { review_required: false });
    }
  });

  it('a working copy needs an approval too', async () => {
    const page = await createPage(server, site, { title: 'Live' });
    const copy = await callOk(server, 'PUT', `/pages/${page}/copy`, { title: 'Mine' });
    await callOk(server, 'PUT', '/system', { review_required: true });
    try {
      const path = `/pages/${page}/copy/publish`;
      expect(outcomeOf(await call(server, 'POST', path))).toEqual(notApproved);
      await review(Number(copy['change_set']), { state: 'approved' });
      expect((await call(server, 'POST', path)).status).toBe(200);
    } finally {
      await callOk(server, 'PUT', '/system', { review_required: false });
    }
  });
});

describe('rights', () => {
  let editor: Person;
  let author: Person;
  let viewer: Person;
  let keeper: Person;
  beforeAll(async () => {
    const admin = await setUp(server);
    const grants = [{ actions: ['read', 'edit', 'publish', 'delete', 'settings'] }];
    editor = await addPerson(server, admin, [3]);
    author = await addPerson(server, admin, [4]);
    viewer = await addPerson(server, admin, [5]);
    keeper = await addPerson(server, admin, [await addRole(server, admin, grants)]);
  });

  const refusedFor = (action: string) => ({
    status: 403,
    body: { code: 'auth.notAllowed', params: { action } },
  });

  it('to ask and to comment are those to edit, to approve those to publish', async () => {
    const { set, page } = await prepare();
    const path = `/change-sets/${set}/review`;
    expect(await viewer.ask('POST', path, { state: 'requested' })).toMatchObject(refusedFor('edit'));
    expect(await author.ask('POST', path, { state: 'requested' })).toMatchObject({ status: 200 });
    expect(await author.ask('POST', path, { state: 'approved' })).toMatchObject(refusedFor('publish'));
    expect(await editor.ask('POST', path, { state: 'approved' })).toMatchObject({ status: 200 });
    const comments = `/change-sets/${set}/comments`;
    const comment = { text: 't', kind: 'page', id: page };
    expect(await viewer.ask('GET', comments)).toMatchObject({ status: 200 });
    expect(await viewer.ask('POST', comments, comment)).toMatchObject(refusedFor('edit'));
    expect(await author.ask('POST', comments, comment)).toMatchObject({ status: 201 });
  });

  it('to save live need settings where reviews are required', async () => {
    const { set, page } = await prepare();
    const snippet = await createSnippet(server);
    await callOk(server, 'PUT', '/system', { review_required: true });
    try {
      const refused = refusedFor('settings');
      const operation = { op: 'update', kind: 'page', id: page, data: { title: 'x' } };
      const named = { parent_id: site, title: 'New', slug: freshName('n') };
      const saves: readonly [string, string, object?][] = [
        ['PUT', `/pages/${page}`, { title: 'x' }],
        ['POST', '/pages', named],
        ['POST', `/pages/${page}/move`, { parent_id: site, index: 0 }],
        ['POST', '/batch', { ops: [operation] }],
        ['DELETE', `/snippets/${snippet}`],
      ];
      for (const save of saves) expect(await editor.ask(...save)).toMatchObject(refused);
      expect(await editor.ask('PUT', `/pages/${page}`, { title: 'x' })).toMatchObject({
        body: { params: { use: `/pages/${page}/copy` } },
      });
      expect(await callOk(server, 'GET', `/pages/${page}`)).toMatchObject({ title: 'Live' });
      expect(await editor.ask('PUT', `/pages/${page}/copy`, { title: 'x' })).toMatchObject({ status: 200 });
      expect(await keeper.ask('PUT', `/pages/${page}`, { description: 'kept' })).toMatchObject({
        status: 200,
      });
      await review(set, { state: 'approved' });
      expect(await editor.ask('POST', `/change-sets/${set}/publish`)).toMatchObject({ status: 200 });
    } finally {
      await callOk(server, 'PUT', '/system', { review_required: false });
    }
    expect(await editor.ask('PUT', `/pages/${page}`, { title: 'x' })).toMatchObject({ status: 200 });
  });
});

describe('a comment', () => {
  const path = (set: number, id?: unknown) =>
    `/change-sets/${set}/comments${id === undefined ? '' : `/${id}`}`;
  const comment = (set: number, body: object) => callOk(server, 'POST', path(set), body);
  const list = (set: number) => callList(server, path(set));

  it('is written, listed, changed and deleted', async () => {
    const { set, page } = await prepare();
    const answer = await call(server, 'POST', path(set), {
      body: { text: 'Really?', kind: 'page', id: page, field: 'title', quote: 'Mine' },
    });
    const time = expect.any(Number);
    const shown = {
      ...{ id: time, kind: 'page', object_id: page, field: 'title', block: null, quote: 'Mine' },
      ...{ place: 'quote', text: 'Really?', resolved: false, author: 'Master-Token' },
      ...{ created_at: time, updated_at: time },
    };
    expect(answer).toMatchObject({ status: 201, body: shown });
    const { id } = asRecord(answer.body);
    await comment(set, { text: 'Second', kind: 'page', id: page });
    expect(await list(set)).toMatchObject([shown, { text: 'Second', field: null, place: 'object' }]);
    const changed = { text: 'Yes', resolved: true, field: 'html', quote: null };
    expect(await callOk(server, 'PUT', path(set, id), changed)).toMatchObject({ id, ...changed });
    // What GET answers can be sent back.
    const [first] = await list(set);
    expect(await callOk(server, 'PUT', path(set, id), first)).toMatchObject({ ...changed, object_id: page });
    expect((await call(server, 'DELETE', path(set, id))).status).toBe(204);
    expect(await list(set)).toMatchObject([{ text: 'Second' }]);
    expect(outcomeOf(await call(server, 'PUT', path(set, id), { body: {} }))).toEqual(notFound);
    expect(outcomeOf(await call(server, 'DELETE', path(set, id)))).toEqual(notFound);
  });

  it.each<[string, (page: number) => object, number, string]>([
    ['no text', (id) => ({ kind: 'page', id }), 400, 'common.invalid'],
    ['an empty text', (id) => ({ kind: 'page', id, text: '' }), 400, 'common.invalid'],
    ['no kind', (id) => ({ id, text: 't' }), 400, 'common.invalid'],
    ['no ID', () => ({ kind: 'page', text: 't' }), 400, 'common.invalid'],
    ['an unknown kind', (id) => ({ kind: 'pen', id, text: 't' }), 400, 'batch.kindUnknown'],
    ['an object that is not there', () => ({ kind: 'page', id: 999_999, text: 't' }), 404, 'common.notFound'],
    ['a number as quote', (id) => ({ kind: 'page', id, text: 't', quote: 1 }), 400, 'common.invalid'],
    ['a text as resolved', (id) => ({ kind: 'page', id, text: 't', resolved: 'x' }), 400, 'common.invalid'],
  ])('with %s is refused', async (_name, bodyFor, status, code) => {
    const { set, page } = await prepare();
    const answer = await call(server, 'POST', path(set), { body: bodyFor(page) });
    expect(outcomeOf(answer)).toEqual({ status, code });
    expect(await list(set)).toEqual([]);
  });

  it('is read with read access, and belongs to its set', async () => {
    const { set, page } = await prepare();
    const { id } = await comment(set, { text: 't', kind: 'page', id: page });
    expect((await call(server, 'GET', path(set), { token: reader })).status).toBe(200);
    expect(outcomeOf(await call(server, 'GET', path(set), { token: null }))).toEqual(notFound);
    const body = { text: 't', kind: 'page', id: page };
    expect((await call(server, 'POST', path(set), { body, token: reader })).status).toBe(403);
    expect(outcomeOf(await call(server, 'GET', path(999_999)))).toEqual(notFound);
    const other = await release();
    expect(outcomeOf(await call(server, 'PUT', path(other, id), { body: {} }))).toEqual(notFound);
    expect(outcomeOf(await call(server, 'DELETE', path(other, id)))).toEqual(notFound);
  });

  it('can be about an object that the set creates', async () => {
    const set = await release();
    const data = { name: freshName('s'), content: 'new words' };
    const created = await callOk(server, 'POST', `/change-sets/${set}/items`, {
      ...{ op: 'create', kind: 'snippet', data },
    });
    const anchor = { field: 'content', quote: 'new' };
    await comment(set, { text: 't', kind: 'snippet', id: created['id'], ...anchor });
    expect(await list(set)).toMatchObject([{ place: 'quote', ...anchor }]);
  });

  it('keeps its words when the text around them is edited, and its field when they are gone', async () => {
    const page = await createPage(server, site, { html: '<p>open every day</p>' });
    const set = await release();
    await put(set, page, { html: '<p>open every day</p><p>x</p>' });
    await comment(set, { text: 't', kind: 'page', id: page, field: 'html', quote: 'every day' });
    const place = async () => (await list(set))[0]?.['place'];
    await put(set, page, { html: '<h1>New</h1><p>We are open every <b>day</b> now</p>' });
    expect(await place()).toBe('quote');
    await put(set, page, { html: '<p>closed</p>' });
    expect(await place()).toBe('field');
    await callOk(server, 'PUT', `/pages/${page}`, { title: 'Live' });
    await call(server, 'DELETE', `/change-sets/${set}/items/page/${page}`);
    expect(await place()).toBe('quote');
    await call(server, 'DELETE', `/pages/${page}`);
    expect(await list(set)).toMatchObject([{ place: 'gone', quote: 'every day', field: 'html' }]);
  });

  it('keeps its block wherever it is moved to', async () => {
    const type = freshName('type');
    const schema = { block: true, params: [{ name: 'text', type: 'text' }], slots: [{ name: 'inner' }] };
    await createSnippet(server, { name: type, content: '', schema });
    const block = (id: string, text: string, inner: readonly object[] = []) => ({
      ...{ id, type, params: { text }, slots: { inner } },
    });
    const tree = [block('a', 'one'), block('b', 'two')];
    const page = await createGlobalBlock(server, { blocks: tree });
    const set = await release();
    const save = (blocks: readonly object[]) =>
      callOk(server, 'PUT', `/change-sets/${set}/items/global_block/${page}`, { blocks });
    await save([...tree, block('c', 'three')]);
    await comment(set, { text: 't', kind: 'global_block', id: page, block: 'b', quote: 'two' });
    const place = async () => (await list(set))[0]?.['place'];
    expect(await place()).toBe('quote');
    await save([block('a', 'one', [block('b', 'two more')])]);
    expect(await place()).toBe('quote');
    await save([block('a', 'one', [block('b', 'other')])]);
    expect(await place()).toBe('block');
    await save([block('a', 'two')]);
    expect(await place()).toBe('object');
  });

  it('stays with a set that is published or discarded', async () => {
    for (const end of [publish, (set: number) => call(server, 'DELETE', `/change-sets/${set}`)]) {
      const { set, page } = await prepare();
      await comment(set, { text: 't', kind: 'page', id: page });
      await end(set);
      expect(await list(set)).toMatchObject([{ text: 't' }]);
    }
  });
});
