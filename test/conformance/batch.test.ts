import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiAnswer, addToken, asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import {
  createAsset,
  createPage,
  createSite,
  createSnippet,
  freshName,
  freshSlug,
} from '../support/content.ts';
import { uploadOne } from '../support/media.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Data, Automation and Operations, "Batch" and "Batch, idempotency, schema", rules 1 to 7. */

let server: TestServer;
let site: number;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
});
afterAll(() => server.stop());

describe('a batch', () => {
  it('creates, updates and deletes in order, and answers with one result for each operation', async () => {
    const old = await createSnippet(server, { name: freshName('old') });
    const page = await createPage(server, site);
    const slug = freshSlug();
    const { status, body } = await batch({
      ops: [
        { op: 'create', kind: 'page', ref: 'p', data: { parent_id: site, title: 'A', slug } },
        { op: 'update', kind: 'page', id: page, data: { title: 'B' } },
        { op: 'delete', kind: 'snippet', id: old },
        { op: 'update', kind: 'page', id: '@p', data: { title: 'C' } },
      ],
    });
    const { results, ...rest } = asRecord(body);
    expect({ status, rest }).toEqual({
      status: 200,
      rest: { idempotency_key: '', applied_at: expect.any(Number) },
    });
    const created = await pageWithSlug(slug);
    expect(results).toEqual([
      {
        index: 0,
        op: 'create',
        kind: 'page',
        id: created['id'],
        ref: 'p',
        updated_at: expect.any(Number),
        warnings: [],
      },
      { index: 1, op: 'update', kind: 'page', id: page, updated_at: expect.any(Number), warnings: [] },
      { index: 2, op: 'delete', kind: 'snippet', id: old, deleted: true },
      {
        index: 3,
        op: 'update',
        kind: 'page',
        id: created['id'],
        updated_at: created['updated_at'],
        warnings: [],
      },
    ]);
    expect(created).toMatchObject({ title: 'C' });
    expect((await call(server, 'GET', `/snippets/${old}`)).status).toBe(404);
  });

  it('counts as one change: one version of an object per author and no answer between', async () => {
    const page = await createPage(server, site);
    const title = (text: string) => ({ op: 'update', kind: 'page', id: page, data: { title: text } });
    await batch({ ops: [title('1'), title('2'), title('3')] });
    expect(await callList(server, `/revisions?kind=page&id=${page}`)).toHaveLength(1);
    expect(await callOk(server, 'GET', `/pages/${page}`)).toMatchObject({ title: '3' });
  });

  it('takes published beside data, which wins over data.published', async () => {
    const slug = freshSlug();
    const data = { parent_id: site, title: 'x', slug, published: false };
    await batch({ ops: [{ op: 'create', kind: 'page', data, published: true }] });
    expect(await pageWithSlug(slug)).toMatchObject({ published: true });
  });

  it('tells findings about texts as the single endpoint does', async () => {
    const name = freshName('s');
    const { body } = await batch({
      ops: [{ op: 'create', kind: 'snippet', data: { name, content: '{% if %}' } }],
    });
    expect(firstResult(body)['warnings']).toMatchObject([{ code: 'template.syntax', level: 'error' }]);
  });

  it('knows the snippets that it creates itself', async () => {
    const name = freshName('card');
    const include = { parent_id: site, title: 'x', slug: freshSlug(), html: `{% include "${name}" %}` };
    const ops = [
      { op: 'create', kind: 'page', data: include },
      { op: 'create', kind: 'snippet', data: { name, content: 'x' } },
    ];
    const answer = await call(server, 'POST', '/batch?strict=1', { body: { ops } });
    expect(answer.status).toBe(200);
    expect(firstResult(answer.body)['warnings']).toEqual([]);
  });

  it('of 500 operations runs', async () => {
    const slug = () => freshSlug();
    const ops = Array.from({ length: 500 }, () => ({
      op: 'create',
      kind: 'page',
      data: { parent_id: site, title: 'x', slug: slug() },
    }));
    expect(asRecord((await batch({ ops })).body)['results']).toHaveLength(500);
  });

  it('clears the page cache once it is applied, and not if it is refused', async () => {
    await createPage(server, site, { slug: 'cached', published: true });
    const state = async () => (await fetch(`${server.url}/cached`)).headers.get('x-cache');
    expect([await state(), await state()]).toEqual(['MISS', 'HIT']);
    await batch({ ops: [{ op: 'delete', kind: 'page', id: 999_999 }] });
    expect(await state()).toBe('HIT');
    await batch({ ops: [{ op: 'update', kind: 'page', id: site, data: { title: freshName('t') } }] });
    expect(await state()).toBe('MISS');
  });
});

describe('files', () => {
  it('are changed and deleted; their bytes go after the commit', async () => {
    const [kept, gone] = [
      await uploadOne(server, 'kept.txt', 'kept'),
      await uploadOne(server, 'gone.txt', 'x'),
    ];
    const { id: folder } = await callOk(server, 'POST', '/folders', { name: 'Papers' });
    const data = { name: 'Kept.txt', alt: 'a', folder_id: folder, private: true };
    const { body } = await batch({
      ops: [
        { op: 'update', kind: 'file', id: kept['id'], data, base_updated_at: 1 },
        { op: 'delete', kind: 'file', id: gone['id'], purge: true },
      ],
    });
    expect(asRecord(body)['results']).toEqual([
      { index: 0, op: 'update', kind: 'file', id: kept['id'], updated_at: expect.any(Number) },
      { index: 1, op: 'delete', kind: 'file', id: gone['id'], deleted: true },
    ]);
    expect(await callOk(server, 'GET', `/files/${kept['id']}`)).toMatchObject(data);
    const statusOf = async (path: unknown) => (await fetch(`${server.url}/media/${path}`)).status;
    // Private now.
    expect([await statusOf(kept['path']), await statusOf(gone['path'])]).toEqual([404, 404]);
    const bytes = () =>
      readdirSync(join(server.dataDir, 'media'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('/original'),
      );
    await expect.poll(() => bytes().length).toBe((await callList(server, '/files')).length);
  });

  it('stay as they are when another operation is refused', async () => {
    const file = await uploadOne(server, 'stays.txt', 'stays');
    const ops = [
      { op: 'delete', kind: 'file', id: file['id'] },
      { op: 'update', kind: 'file', id: 999_999, data: { alt: 'x' } },
    ];
    const answer = await batch({ ops });
    expect(outcomeOf(answer)).toEqual({ status: 404, code: 'common.notFound' });
    expect(asRecord(answer.body)).toMatchObject({ index: 1, params: { index: 1 } });
    const served = await fetch(`${server.url}/media/${file['path']}`);
    expect([served.status, await served.text()]).toEqual([200, 'stays']);
  });

  it.each<[string, object, string]>([
    ['are not created', { op: 'create', data: { name: 'x' } }, 'batch.opNotSupported'],
    ['need a name', { op: 'update', data: { name: '' } }, 'common.invalid'],
    ['are in a folder that exists', { op: 'update', data: { folder_id: 999_999 } }, 'common.invalid'],
  ])('%s', async (_name, operation, code) => {
    const { id } = await uploadOne(server, 'rules.txt', 'x');
    const answer = await batch({ ops: [{ kind: 'file', id, ...operation }] });
    expect(outcomeOf(answer)).toEqual({ status: 400, code });
  });
});

describe('refs', () => {
  it('stand for created objects where a field holds an ID', async () => {
    const [parent, child, layout] = [freshSlug(), freshSlug(), freshName('layout')];
    await batchOk([
      { op: 'create', kind: 'snippet', ref: 'l', data: { name: layout, page_layout: {} } },
      { op: 'create', kind: 'page', ref: '_a.b-C', data: { parent_id: site, title: 'x', slug: parent } },
      {
        op: 'create',
        kind: 'page',
        data: { parent_id: '@_a.b-C', title: '@l', slug: child, layout_id: '@l' },
      },
    ]);
    const { id } = await pageWithSlug(parent);
    const made = await pageWithSlug(child);
    expect(made).toMatchObject({ parent_id: id, title: '@l' });
    const { html } = await callOk(server, 'GET', `/pages/${made['id']}`);
    expect(html).toContain(layout);
  });

  it('are ignored on update and delete', async () => {
    const page = await createPage(server, site);
    const ops = [
      { op: 'update', kind: 'page', id: page, ref: 'a b', data: {} },
      { op: 'delete', kind: 'page', id: page, ref: 'a b' },
    ];
    expect((await batch({ ops })).status).toBe(200);
  });

  it.each(['__proto__', 'constructor', 'toString'])('%s is a name like others', async (ref) => {
    const unknown = { op: 'create', kind: 'page', data: { parent_id: `@${ref}`, title: 'x', slug: 'x' } };
    expect(outcomeOf(await batch({ ops: [unknown] }))).toEqual({ status: 400, code: 'batch.refUnknown' });
    await batchOk([
      { op: 'create', kind: 'page', ref, data: { parent_id: site, title: 'x', slug: freshSlug() } },
      { op: 'update', kind: 'page', id: `@${ref}`, data: { title: 'y' } },
    ]);
  });
});

describe('is refused for its form, with nothing written', () => {
  const create = { op: 'create', kind: 'page', data: {} };
  const withData = (data: unknown) => ({ op: 'create', kind: 'page', data });
  it.each<[string, unknown, string, object]>([
    ['no operations', { ops: [] }, 'batch.empty', {}],
    ['no ops', {}, 'batch.empty', {}],
    ['501 operations', { ops: Array(501).fill(create) }, 'batch.tooManyOps', { max: 500 }],
    ['an unknown op', { ops: [{ ...create, op: 'upsert' }] }, 'batch.opUnknown', { index: 0, op: 'upsert' }],
    ['no op', { ops: [{ kind: 'page' }] }, 'batch.opUnknown', { index: 0 }],
    ['an operation that is no object', { ops: [5] }, 'batch.opUnknown', { index: 0 }],
    ['an unknown kind', { ops: [{ ...create, kind: 'x' }] }, 'batch.kindUnknown', { index: 0, kind: 'x' }],
    [
      'a kind that is not in batches',
      { ops: [{ ...create, kind: 'pen' }] },
      'batch.kindUnknown',
      { index: 0 },
    ],
    ['__proto__ as kind', { ops: [{ ...create, kind: '__proto__' }] }, 'batch.kindUnknown', { index: 0 }],
    [
      'update without id',
      { ops: [{ op: 'update', kind: 'page', data: {} }] },
      'batch.idRequired',
      { index: 0 },
    ],
    ['delete without id', { ops: [{ op: 'delete', kind: 'page' }] }, 'batch.idRequired', { index: 0 }],
    ['a number as text', { ops: [{ op: 'delete', kind: 'page', id: '5' }] }, 'batch.idInvalid', { index: 0 }],
    ['id 0', { ops: [{ op: 'delete', kind: 'page', id: 0 }] }, 'batch.idInvalid', { index: 0 }],
    ['id 1.5', { ops: [{ op: 'delete', kind: 'page', id: 1.5 }] }, 'batch.idInvalid', { index: 0 }],
    ['no data', { ops: [{ op: 'create', kind: 'page' }] }, 'batch.dataInvalid', { index: 0 }],
    ['a list as data', { ops: [withData([])] }, 'batch.dataInvalid', { index: 0 }],
    ['an empty ref', { ops: [{ ...create, ref: '' }] }, 'batch.refInvalid', { index: 0 }],
    ['a ref with a space', { ops: [{ ...create, ref: 'a b' }] }, 'batch.refInvalid', { index: 0 }],
    [
      'a ref of 65 characters',
      { ops: [{ ...create, ref: 'a'.repeat(65) }] },
      'batch.refInvalid',
      { index: 0 },
    ],
    [
      'a ref twice',
      {
        ops: [
          { ...create, ref: 'a' },
          { ...create, ref: 'a' },
        ],
      },
      'batch.refDuplicate',
      { index: 1, ref: 'a' },
    ],
    ['an unknown ref', { ops: [withData({ parent_id: '@x' })] }, 'batch.refUnknown', { index: 0, ref: 'x' }],
    [
      'a ref of a later operation',
      { ops: [withData({ parent_id: '@x' }), { ...create, ref: 'x' }] },
      'batch.refUnknown',
      { index: 0, ref: 'x' },
    ],
    [
      'a ref of another kind as id',
      {
        ops: [
          { ...create, ref: 'x' },
          { op: 'delete', kind: 'snippet', id: '@x' },
        ],
      },
      'batch.refUnknown',
      { index: 1, ref: 'x' },
    ],
    ['an empty key', { ops: [create], idempotency_key: '' }, 'batch.keyInvalid', {}],
    ['a key of 201 characters', { ops: [create], idempotency_key: 'k'.repeat(201) }, 'batch.keyInvalid', {}],
    [
      'NUL elsewhere',
      { ops: [create], idempotency_key: 'a\0' },
      'common.invalid',
      { field: 'idempotency_key' },
    ],
    ['a number as key', { ops: [create], idempotency_key: 5 }, 'batch.keyInvalid', {}],
    [
      'a person of 101 characters',
      { ops: [create], on_behalf_of: 'p'.repeat(101) },
      'batch.onBehalfTooLong',
      {},
    ],
    ['dry_run', { ops: [create], dry_run: true }, 'common.invalid', { field: 'dry_run' }],
    ['ops as object', { ops: {} }, 'common.invalid', { field: 'ops' }],
    ['a list as body', [], 'common.invalid', { field: 'body' }],
    [
      'published as text',
      { ops: [{ ...create, published: 'yes' }] },
      'common.invalid',
      { field: 'published', index: 0 },
    ],
    [
      'base_updated_at as text',
      { ops: [{ op: 'delete', kind: 'page', id: 1, base_updated_at: 'x' }] },
      'common.invalid',
      { field: 'base_updated_at', index: 0 },
    ],
  ])('%s', async (_name, body, code, params) => {
    const before = await callList(server, '/pages');
    const answer = await batch(body);
    expect(outcomeOf(answer)).toEqual({ status: 400, code });
    expect(asRecord(answer.body)['params']).toMatchObject(params);
    expect(await callList(server, '/pages')).toEqual(before);
  });

  it('dry_run in the query', async () => {
    const answer = await call(server, 'POST', '/batch?dry_run=1', { body: { ops: [create] } });
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'common.invalid' });
  });
});

describe('an operation that fails', () => {
  it.each<[string, object, number, string]>([
    ['an unknown object', { op: 'update', kind: 'page', id: 999_999, data: {} }, 404, 'common.notFound'],
    ['a missing field', { op: 'create', kind: 'page', data: { title: 'x' } }, 400, 'common.invalid'],
    [
      'a taken slug',
      { op: 'create', kind: 'page', data: { title: 'x', slug: 'taken' } },
      409,
      'page.slugTaken',
    ],
    ['a bad slug', { op: 'create', kind: 'page', data: { title: 'x', slug: 'A' } }, 400, 'page.slugInvalid'],
  ])('%s refuses the whole batch and names its index', async (_name, failing, status, code) => {
    await call(server, 'POST', '/pages', { body: { parent_id: site, title: 'x', slug: 'taken' } });
    const slug = freshSlug();
    const data = asRecord(asRecord(failing)['data']);
    const withParent = 'slug' in data ? { ...failing, data: { ...data, parent_id: site } } : failing;
    const answer = await batch({
      ops: [{ op: 'create', kind: 'page', data: { parent_id: site, title: 'x', slug } }, withParent],
    });
    expect(outcomeOf(answer)).toEqual({ status, code });
    expect(answer.body).toMatchObject({
      index: 1,
      params: { index: 1 },
      error: expect.stringMatching(/^operation 1: /),
    });
    expect(await findPage(slug)).toBeUndefined();
  });

  it('is the first of several', async () => {
    const gone = (id: number) => ({ op: 'delete', kind: 'page', id });
    expect((await batch({ ops: [gone(999_998), gone(999_999)] })).body).toMatchObject({ index: 0 });
  });

  it('may be a template that cannot work, with strict=1', async () => {
    const name = freshName('s');
    const ops = [
      { op: 'create', kind: 'snippet', data: { name, content: 'fine' } },
      { op: 'create', kind: 'snippet', data: { name: `${name}-2`, content: '{% if %}' } },
    ];
    const answer = await call(server, 'POST', '/batch?strict=1', { body: { ops } });
    expect(outcomeOf(answer)).toEqual({ status: 422, code: 'template.invalid' });
    expect(answer.body).toMatchObject({ index: 1, warnings: [{ code: 'template.syntax' }] });
    const unknown = [{ op: 'create', kind: 'snippet', data: { name, contnt: 'x' } }];
    expect((await call(server, 'POST', '/batch?strict=1', { body: { ops: unknown } })).body).toMatchObject({
      code: 'common.unknownField',
      index: 0,
      params: { field: 'contnt', suggestion: 'content', index: 0 },
    });
  });

  it('may be a field that no operation and no batch has, with strict=1', async () => {
    const create = { op: 'create', kind: 'snippet', data: { name: freshName('s') } };
    const send = (body: object) => call(server, 'POST', '/batch?strict=1', { body });
    const late = await send({ ops: [create, { ...create, base_updatedat: 1 }] });
    expect(late).toMatchObject({
      status: 400,
      body: {
        code: 'common.unknownField',
        index: 1,
        params: { field: 'base_updatedat', suggestion: 'base_updated_at', index: 1 },
      },
    });
    const keyed = await send({ idempotencykey: 'k', ops: [create] });
    expect(keyed.body).toMatchObject({
      code: 'common.unknownField',
      params: { field: 'idempotencykey', suggestion: 'idempotency_key' },
    });
    expect((await send({ idempotency_key: freshName('k'), on_behalf_of: 'Ada', ops: [create] })).status).toBe(
      200,
    );
    expect((await batch({ more: 1, ops: [{ ...create, op: 'delete', id: 999_999, more: 1 }] })).status).toBe(
      404,
    );
  });
});

describe('base_updated_at', () => {
  it('is compared for all operations before anything runs', async () => {
    const [first, second, third] = [
      await createPage(server, site),
      await createPage(server, site),
      await createPage(server, site),
    ];
    const updatedAt = async (id: number) => (await callOk(server, 'GET', `/pages/${id}`))['updated_at'];
    const answer = await batch({
      ops: [
        {
          op: 'update',
          kind: 'page',
          id: first,
          data: { title: 'x' },
          base_updated_at: await updatedAt(first),
        },
        { op: 'update', kind: 'page', id: second, data: { title: 'x' }, base_updated_at: 1 },
        { op: 'delete', kind: 'page', id: third, base_updated_at: 2 },
      ],
    });
    expect(outcomeOf(answer)).toEqual({ status: 409, code: 'batch.conflict' });
    expect(asRecord(answer.body)['params']).toEqual({
      count: 2,
      conflicts: [
        { index: 1, kind: 'page', id: second, updated_at: await updatedAt(second) },
        { index: 2, kind: 'page', id: third, updated_at: await updatedAt(third) },
      ],
    });
    expect(await callOk(server, 'GET', `/pages/${first}`)).not.toMatchObject({ title: 'x' });
  });

  it('means the state before the batch, not that after an earlier operation', async () => {
    const page = await createPage(server, site);
    const { updated_at: base_updated_at } = await callOk(server, 'GET', `/pages/${page}`);
    const title = (text: string) => ({
      op: 'update',
      kind: 'page',
      id: page,
      data: { title: text },
      base_updated_at,
    });
    expect((await batch({ ops: [title('1'), title('2')] })).status).toBe(200);
  });

  it('inside data is ignored', async () => {
    const page = await createPage(server, site);
    const data = { title: 'x', base_updated_at: 1 };
    expect((await batch({ ops: [{ op: 'update', kind: 'page', id: page, data }] })).status).toBe(200);
  });
});

describe('an idempotency key', () => {
  it('of a batch that changes nothing leaves the pages and the version of the content as they are', async () => {
    await createPage(server, site, { slug: 'calm', title: 'Calm', published: true });
    const calm = await pageWithSlug('calm');
    const state = async () => (await fetch(`${server.url}/calm`)).headers.get('x-cache');
    const version = async () => (await callOk(server, 'GET', '/changes?since=now'))['version'];
    expect([await state(), await state()]).toEqual(['MISS', 'HIT']);
    const before = await version();
    const ops = [{ op: 'update', kind: 'page', id: calm['id'], data: { title: 'Calm' } }];
    const request = { ops, idempotency_key: freshName('nothing') };
    expect((await batch(request)).status).toBe(200);
    expect([await state(), await version()]).toEqual(['HIT', before]);
    expect((await batch(request)).headers.get('idempotent-replay')).toBe('true');
  });

  it('runs a request once, whatever the order of its fields', async () => {
    const slug = freshSlug();
    const key = freshName('key');
    const first = await batch({
      idempotency_key: key,
      ops: [{ op: 'create', kind: 'page', data: { parent_id: site, title: 'x', slug } }],
    });
    const again = await batch({
      ops: [{ data: { slug, title: 'x', parent_id: site }, kind: 'page', op: 'create' }],
      idempotency_key: key,
    });
    expect(first.status).toBe(200);
    expect(first.headers.get('idempotent-replay')).toBeNull();
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(first.body).toMatchObject({ idempotency_key: key });
    expect(await call(server, 'GET', `/batch/${key}`)).toMatchObject({
      status: 200,
      body: { applied: true, ...asRecord(first.body) },
    });
  });

  it('with other content is 409', async () => {
    const key = freshName('key');
    const body = (title: string) => ({ idempotency_key: key, ops: [updateOf(title)] });
    await batch(body('one'));
    const answer = await batch(body('two'));
    expect(outcomeOf(answer)).toEqual({ status: 409, code: 'batch.keyReused' });
    expect(await callOk(server, 'GET', `/pages/${site}`)).toMatchObject({ title: 'one' });
  });

  it('of a batch that failed may be used again', async () => {
    const key = freshName('key');
    const missing = { op: 'delete', kind: 'page', id: 999_999 };
    expect((await batch({ idempotency_key: key, ops: [missing] })).status).toBe(404);
    expect((await call(server, 'GET', `/batch/${key}`)).status).toBe(404);
    expect((await batch({ idempotency_key: key, ops: [updateOf('x')] })).status).toBe(200);
  });

  it('in many requests at the same moment runs one of them', async () => {
    const key = freshName('key');
    const slug = freshSlug();
    const body = {
      idempotency_key: key,
      ops: [{ op: 'create', kind: 'page', data: { parent_id: site, title: 'x', slug } }],
    };
    const answers = await Promise.all(Array.from({ length: 10 }, () => batch(body)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(answers.filter(({ headers }) => headers.get('idempotent-replay') === null)).toHaveLength(1);
    expect(new Set(answers.map(({ body: answer }) => JSON.stringify(answer))).size).toBe(1);
  });

  it('may have any characters', async () => {
    const key = 'a/b ä %2F?#'.padEnd(200, '€');
    await batchOk([updateOf(freshName('t'))], { idempotency_key: key });
    expect((await call(server, 'GET', `/batch/${encodeURIComponent(key)}`)).body).toMatchObject({
      idempotency_key: key,
    });
  });

  it('that is not known is 404', async () => {
    expect(outcomeOf(await call(server, 'GET', '/batch/nothing'))).toEqual({
      status: 404,
      code: 'common.notFound',
    });
  });
});

it('an idempotency key of null is none', async () => {
  const body = { idempotency_key: null, ops: [updateOf('null')] };
  const [first, second] = [await batch(body), await batch(body)];
  for (const { status, body: answer, headers } of [first, second])
    expect([status, asRecord(answer)['idempotency_key'], headers.get('idempotent-replay')]).toEqual([
      200,
      '',
      null,
    ]);
});

describe('on_behalf_of', () => {
  it.each([
    ['of the body', { on_behalf_of: 'Anna' }, {}, 'robot (for Anna)'],
    ['of the header', {}, { 'X-IC-On-Behalf-Of': 'Ben' }, 'robot (for Ben)'],
    ['of the body wins', { on_behalf_of: 'Anna' }, { 'X-IC-On-Behalf-Of': 'Ben' }, 'robot (for Anna)'],
    ['is cleaned and not decoded', { on_behalf_of: ' A%20b\n  c ' }, {}, 'robot (for A%20b c)'],
    ['has no control characters', { on_behalf_of: 'A\0d\u0007a\u0085' }, {}, 'robot (for Ada)'],
    [
      'of null is that of the header',
      { on_behalf_of: null },
      { 'X-IC-On-Behalf-Of': 'Ben' },
      'robot (for Ben)',
    ],
    [
      'of the header keeps what is no escape',
      {},
      { 'X-IC-On-Behalf-Of': '50%20%25 of J%C3%B6rg %zz %FF%c3%bc %' },
      'robot (for 50 % of Jörg %zz %FFü %)',
    ],
    ['that is empty names nobody', { on_behalf_of: '' }, { 'X-IC-On-Behalf-Of': 'Ben' }, 'robot'],
  ])('%s', async (_name, fields, headers, author) => {
    const token = await addToken(server, 'robot', true);
    const page = await createPage(server, site);
    const ops = [{ op: 'update', kind: 'page', id: page, data: { title: 'x' } }];
    expect((await call(server, 'POST', '/batch', { token, headers, body: { ...fields, ops } })).status).toBe(
      200,
    );
    expect(await callList(server, `/revisions?kind=page&id=${page}`)).toMatchObject([{ author }]);
  });
});

it('a hostile body changes no prototype', async () => {
  const raw = `{"ops":[{"op":"create","kind":"snippet","__proto__":{"x":1},"data":{"name":"${freshName('s')}","__proto__":{"x":1}}}]}`;
  await call(server, 'POST', '/batch', { raw, headers: { 'Content-Type': 'application/json' } });
  expect(({} as { x?: unknown }).x).toBeUndefined();
  expect(await createAsset(server)).toBeGreaterThan(0);
});

function batch(body: unknown): Promise<ApiAnswer> {
  return call(server, 'POST', '/batch', { body });
}

async function batchOk(ops: readonly object[], fields: object = {}): Promise<void> {
  const { status, body } = await batch({ ...fields, ops });
  expect({ status, error: asRecord(body)['error'] }).toEqual({ status: 200, error: undefined });
}

function updateOf(title: string): object {
  return { op: 'update', kind: 'page', id: site, data: { title } };
}

function firstResult(body: unknown): Record<string, unknown> {
  const { results } = asRecord(body);
  return asRecord(Array.isArray(results) ? results[0] : undefined);
}

async function findPage(slug: string): Promise<Record<string, unknown> | undefined> {
  return (await callList(server, '/pages')).find((page) => page['slug'] === slug);
}

async function pageWithSlug(slug: string): Promise<Record<string, unknown>> {
  return asRecord(await findPage(slug));
}
