import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asRecord, call, callOk } from '../support/api.ts';
import { freshName } from '../support/content.ts';
import { neutral } from '../support/extdb/neutral.ts';
import { fakeRows, token } from '../support/extdb/rows.ts';
import { type FakeService, startService } from '../support/extdb/service.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { bodyOf, type SmtpReceiver, startSmtp, tlsFixture } from '../support/smtp.ts';

/** The nodes `extdb` and `mail` with a real database service and mail server behind them. */

let server: InProcessServer;
let service: FakeService;
let smtp: SmtpReceiver;

beforeAll(async () => {
  setDefaultCACertificates([...getCACertificates(), tlsFixture('cert')]);
  service = await startService(neutral);
  smtp = await startSmtp();
  server = await startInProcess();
  await callOk(server, 'PUT', '/extdb', [{ name: 'Shop', url: service.url, token }]);
  await callOk(server, 'PUT', '/system/mail', {
    host: 'localhost',
    port: smtp.port,
    user: 'shop@one.test',
    password: 'secret',
  });
  await callOk(server, 'PUT', '/workflow-secrets/MAILBOX', { value: 'orders@two.test' });
});
beforeEach(() => {
  service.seen.length = 0;
  smtp.received.length = 0;
});
afterEach(() => {
  service.rows = fakeRows();
});
afterAll(async () => {
  await server.stop();
  await service.close();
  await smtp.close();
});

interface Outcome {
  readonly status: unknown;
  readonly error: string;
  /** The payload behind the node, if the run got there. */
  readonly payload: unknown;
  readonly trace: string;
}

/** Runs a message through one node. */
async function through(type: string, config: object, payload: unknown = {}): Promise<Outcome> {
  const flow = {
    nodes: [
      { id: 'start', type: 'inject', config: {} },
      { id: 'it', type, name: 'Node', config },
      { id: 'end', type: 'http-response', config: {} },
    ],
    wires: [
      { from: 'start', out: 0, to: 'it' },
      { from: 'it', out: 0, to: 'end' },
    ],
  };
  const { id } = await callOk(server, 'POST', '/workflows', { name: freshName('Flow'), flow });
  const { run, response } = await callOk(server, 'POST', `/workflows/${id}/run`, { payload });
  const { status, error, trace } = asRecord(run);
  const body = asRecord(response)['body'];
  const parsed: unknown = typeof body === 'string' && /^[[{]|^null$/.test(body) ? JSON.parse(body) : body;
  return { status, error: String(error), payload: parsed, trace: JSON.stringify(trace) };
}

const lastQuery = () => asRecord(service.seen.findLast(({ path }) => path.endsWith('/query'))?.body);
const articles = { connection: 'Shop', table: 'articles' };
const sort = [{ col: 'id', desc: false }];

describe('extdb', () => {
  it('lists with everything that can be set, and placeholders where they are allowed', async () => {
    const config = {
      connection: '{{ msg.payload.db }}',
      action: 'list',
      table: '{{ msg.payload.source }}/articles',
      rules: [
        { col: 'country', op: 'in', val: '{{ msg.payload.countries }}' },
        { col: 'id', op: 'gte', val: '{{ msg.payload.from }}' },
        { col: 'title', op: 'eq', val: '{{ msg.payload.missing }}' },
      ],
      match: 'and',
      sort: [{ col: 'id', desc: true }],
      group: [{ col: 'country' }],
      summary: [{ col: 'price, net', fn: 'SUM' }],
      view: '{{ msg.payload.view }}',
      limit: '{{ msg.payload.limit }}',
      page: '{{ msg.payload.page }}',
      fields: 'id, country',
      output: 'full',
      cache: '5',
    };
    const payload = {
      db: 'shop',
      source: 'shop',
      countries: 'DE, AT',
      from: 2,
      view: 'v0',
      limit: 2,
      page: 1,
    };
    const run = await through('extdb', config, payload);
    expect(run.error).toBe('');
    expect(lastQuery()).toEqual({
      where: {
        and: [
          { col: 'country', op: 'in', val: ['DE', 'AT'] },
          { col: 'id', op: 'gte', val: '2' },
        ],
      },
      sort: [{ col: 'id', desc: true }],
      group: [{ col: 'country' }],
      summary: [{ col: 'price, net', fn: 'SUM' }],
      view: 'v0',
      limit: 2,
      page: 1,
      fields: ['id', 'country'],
    });
    expect(run.payload).toMatchObject({
      records: [
        { id: 4, country: 'AT' },
        { id: 3, country: 'AT' },
      ],
      total: 3,
      pages: 2,
      has_more: true,
      summary: { 'price, net': { SUM: 10 } },
      groups: [{ values: { country: 'AT' }, count: 2 }, { values: { country: 'DE' } }],
    });
    const asked = service.seen.length;
    await through('extdb', config, payload);
    expect(service.seen).toHaveLength(asked);
  });

  it.each([
    ['records', { output: 'records' }, [{ id: 1 }, { id: 2 }]],
    ['the empty output', { output: '' }, [{ id: 1 }, { id: 2 }]],
    ['first', { output: 'first' }, { id: 1 }],
    [
      'groups',
      { output: 'groups', group: [{ col: 'country' }] },
      [{ values: { country: 'DE' }, count: 2, summary: {} }],
    ],
    ['all', { all: true }, [{ id: 1 }, { id: 2 }]],
  ])('output: %s', async (_name, more, expected) => {
    const rules = [{ col: 'country', op: 'eq', val: 'DE' }];
    const { payload } = await through('extdb', { ...articles, rules, sort, fields: 'id', ...more });
    expect(payload).toEqual(expected);
  });

  it('keeps rules with an empty value if it shall, and joins rules by or', async () => {
    const rules = [
      { col: 'country', op: 'eq', val: '{{ msg.payload.country }}' },
      { col: 'id', op: 'eq', val: '{{ msg.payload.id }}' },
    ];
    const config = { ...articles, rules, sort, fields: 'id' };
    expect((await through('extdb', config, { id: 2 })).payload).toEqual([{ id: 2 }]);
    expect((await through('extdb', { ...config, keepEmpty: true }, { id: 2 })).payload).toEqual([]);
    const both = await through('extdb', { ...config, match: 'or' }, { id: 5, country: 'AT' });
    expect(both.payload).toEqual([{ id: 3 }, { id: 4 }, { id: 5 }]);
  });

  it.each([
    [
      'as text',
      '{"or":[{"col":"id","op":"in","val":{{ msg.payload.ids }}},{"col":"title","op":"eq","val":"x{{ msg.payload.rest }}"}]}',
    ],
    [
      'as a tree',
      {
        or: [
          { col: 'id', op: 'eq', val: '{{ msg.payload.id }}' },
          { col: 'title', op: 'eq', val: 'x{{ msg.payload.rest }}' },
        ],
      },
    ],
  ])('where %s takes placeholders', async (_name, where) => {
    const rules = [{ col: 'id', op: 'eq', val: '9' }];
    const message = { id: 4, ids: [4], rest: ')~or(Id,gt,0' };
    const { payload, error } = await through(
      'extdb',
      { ...articles, where, rules, sort, fields: 'id' },
      message,
    );
    expect(error).toBe('');
    expect(payload).toEqual([{ id: 2 }, { id: 4 }]);
  });

  it.each(['..', '.', '%2e%2e', '../../tables'])('asks nothing above a record for the key %j', async (id) => {
    const { status } = await through('extdb', { ...articles, action: 'get' }, { id });
    expect(status).toBe('error');
    expect(service.seen.filter(({ path }) => path.includes('/records'))).toEqual([]);
  });

  it('gets by key or by field', async () => {
    const get = { ...articles, action: 'get', fields: 'id,country' };
    expect((await through('extdb', get, { id: 5 })).payload).toEqual({ id: 5, country: 'CH' });
    expect(
      (await through('extdb', { ...get, pk: '{{ msg.payload.key }}' }, { key: 1 })).payload,
    ).toMatchObject({ id: 1 });
    expect((await through('extdb', { ...get, pk: 3 })).payload).toMatchObject({ id: 3 });
    const byField = { ...get, field: 'title', value: '{{ msg.payload.title }}' };
    expect((await through('extdb', byField, { title: 'Hammer, big' })).payload).toMatchObject({ id: 1 });
    expect(await through('extdb', byField, { title: 'none' })).toMatchObject({ status: 'ok', payload: null });
    const failing = await through('extdb', { ...byField, failOnMissing: true }, { title: 'none' });
    expect(failing).toMatchObject({ status: 'error', error: expect.stringContaining('no record none') });
    expect((await through('extdb', get, {})).error).toContain('pk must not be empty');
  });

  it('creates, updates and deletes', async () => {
    const created = await through(
      'extdb',
      { ...articles, action: 'create' },
      { title: 'New', country: 'FR' },
    );
    expect(created.payload).toMatchObject({ id: 6, title: 'New', country: 'FR' });
    const updated = await through('extdb', { ...articles, action: 'update' }, { id: 6, title: 'Newer' });
    expect(updated.payload).toMatchObject({ id: 6, title: 'Newer', country: 'FR' });
    const deleted = await through('extdb', { ...articles, action: 'delete' }, { id: 6 });
    expect(deleted.payload).toEqual({ deleted: true });
    expect(service.rows).toEqual(fakeRows());
    const gone = await through('extdb', { ...articles, action: 'delete' }, { id: 6 });
    expect(gone).toMatchObject({ status: 'error', error: expect.stringContaining('no record 6') });
  });

  it('is there for the code of function nodes', async () => {
    const code = `const made = await idb.create('Shop', 'articles', { title: 'New' });
      await idb.update('Shop', 'articles', made.id, { country: 'FR' });
      const row = await idb.get('Shop', 'articles', made.id);
      await idb.delete('Shop', 'articles', made.id);
      const rows = await idb.list('Shop', 'articles', { fields: 'id', limit: 1 });
      const { views } = await idb.schema('Shop', 'articles');
      return { payload: { row, rows, views: views.length, tables: (await idb.tables('Shop')).length } };`;
    const { payload, error } = await through('function', { code, outputs: 1 });
    expect(error).toBe('');
    expect(payload).toMatchObject({
      row: { id: 6, title: 'New', country: 'FR' },
      rows: [{ id: 1 }],
      views: 1,
      tables: 3,
    });
    const failing = await through('function', {
      code: "await idb.list('Shop', 'articels', {});",
      outputs: 1,
    });
    expect(failing).toMatchObject({
      status: 'error',
      error: expect.stringContaining('did you mean "articles"?'),
    });
  });

  it('tells tables and columns', async () => {
    expect((await through('extdb', { connection: 'Shop', action: 'tables' })).payload).toHaveLength(3);
    const { payload } = await through('extdb', { ...articles, action: 'schema' });
    expect(payload).toMatchObject({ table: { id: 't1' }, views: [{ id: 'v1' }] });
  });

  it.each([
    ['an unknown connection', { connection: 'Shp' }, 'did you mean "Shop"?'],
    ['an unknown table', { table: 'article' }, 'did you mean "articles"?'],
    ['an unknown column', { fields: 'titel' }, 'did you mean "title"?'],
    ['a limit from a placeholder', { limit: '{{ msg.payload }}' }, '1 to 1000'],
    ['a filter that is no JSON', { where: '{{ msg.payload }}' }, /filter|where/],
  ])('%s is an error of the run that names the node', async (_name, more, message) => {
    const { status, error } = await through('extdb', { ...articles, ...more }, 'x1001');
    expect(status).toBe('error');
    expect(error).toMatch(message);
    expect(error).toContain('Node');
  });

  it.each([
    ['action', 'drop'],
    ['limit', 1001],
    ['limit', '0'],
    ['page', 0],
    ['output', 'xml'],
    ['match', 'xor'],
    ['cache', -1],
    ['cache', '86401'],
    ['where', '{'],
    ['rules', [{ col: 'a', op: 'is' }]],
    ['summary', [{ col: 'a', fn: 'MEDIAN' }]],
  ])('is not saved with the %s %j', async (field, value) => {
    const node = { id: 'it', type: 'extdb', config: { ...articles, [field]: value } };
    const body = { name: 'x', flow: { nodes: [node], wires: [] } };
    const { status, body: answer } = await call(server, 'POST', '/workflows', { body });
    expect(status).toBe(400);
    expect(JSON.stringify(answer)).toContain(`config.${field}`);
  });
});

describe('mail', () => {
  it('fills its fields; secrets are hidden in the trace', async () => {
    const config = {
      to: '{{ secret.MAILBOX }}, {{ msg.payload.cc }}',
      subject: 'Order {{ msg.payload.id }}',
      body: 'Dear {{ msg.payload.name }}',
      replyTo: '{{ msg.payload.cc }}',
    };
    const run = await through('mail', config, { id: 7, name: '<Ada>', cc: 'ada@three.test' });
    expect(run).toMatchObject({ status: 'ok', error: '' });
    expect(run.trace).not.toContain('orders@two.test');
    const [mail] = smtp.received;
    expect(mail).toMatchObject({
      from: 'shop@one.test',
      to: ['orders@two.test', 'ada@three.test'],
      isSecure: true,
    });
    expect(mail?.raw).toMatch(/^Subject: Order 7\r$/m);
    expect(mail?.raw).toMatch(/^Reply-To: ada@three.test\r$/m);
    expect(mail?.raw).toMatch(/^Content-Type: text\/plain/m);
    expect(mail && bodyOf(mail)).toContain('Dear <Ada>');
  });

  it('html escapes values; without a body the payload is sent', async () => {
    await through('mail', { to: 'a@b.test', html: true, body: '<p>{{ msg.payload }}</p>' }, '<Ada>');
    await through('mail', { to: 'a@b.test' }, { id: 7 });
    const [html, plain] = smtp.received;
    expect(html?.raw).toMatch(/^Content-Type: text\/html/m);
    expect(html && bodyOf(html)).toContain('<p>&lt;Ada&gt;</p>');
    expect(plain && bodyOf(plain)).toMatch(/"id": ?7/);
  });

  it('line breaks from messages begin no header', async () => {
    const config = { to: '{{ msg.payload.to }}', subject: '{{ msg.payload.subject }}', body: 'x' };
    const message = { to: 'a@b.test\r\nBcc: c@d.test', subject: 'Hello\r\nBcc: c@d.test' };
    await through('mail', config, message);
    await through('mail', config, { ...message, to: 'a@b.test' });
    for (const { to, raw } of smtp.received) {
      expect(to).toEqual(['a@b.test']);
      expect(raw).not.toMatch(/^Bcc:/m);
    }
    expect(smtp.received).toHaveLength(1);
  });

  it.each([
    ['no recipient', '{{ msg.payload.nobody }}', /recipient/],
    ['a recipient that is refused', 'refused@b.test', /User unknown/],
    ['too many', Array.from({ length: 101 }, (_, index) => `a${index}@b.test`).join(), /at most 100/],
  ])('%s is an error of the run', async (_name, to, message) => {
    const { status, error } = await through('mail', { to, body: 'x' });
    expect(status).toBe('error');
    expect(error).toMatch(message);
  });
});
