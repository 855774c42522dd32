import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { createPage, createRedirect, createSite, freshName } from '../support/content.ts';
import { requestHead, sendRaw } from '../support/raw.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { visit } from './public-client.ts';

let server: TestServer;
/** A new website for each test. */
let site: number;
let host: string;

beforeAll(async () => {
  server = await startServer({ env: { TZ: 'Europe/Berlin' } });
});
afterAll(() => server.stop());
beforeEach(async () => {
  host = `${freshName('site')}.example`;
  site = await createSite(server, { domains: host });
});

function addRedirect(source: string, target: string, status = 301): Promise<number> {
  return createRedirect(server, site, { source, target, status });
}

async function redirects(): Promise<unknown[]> {
  const list = await callList(server, `/redirects?root_id=${site}`);
  return list.map((entry) => [entry['source'], entry['target'], entry['status'], entry['auto']]);
}

async function exported(): Promise<{ headers: Headers; bytes: Buffer; lines: string[] }> {
  const response = await fetch(`${server.url}/api/v1/redirects/export?root_id=${site}`, {
    headers: { Authorization: `Bearer ${masterToken}` },
  });
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { headers: response.headers, bytes, lines: bytes.subarray(3).toString().trimEnd().split('\n') };
}

interface Imported {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function upload(csv: string | Uint8Array, query = ''): Promise<Imported> {
  const form = new FormData();
  form.append('file', new Blob([csv.slice()]), 'redirects.csv');
  return send(form, query);
}

async function send(form: FormData, query = ''): Promise<Imported> {
  const response = await fetch(`${server.url}/api/v1/redirects/import?root_id=${site}${query}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${masterToken}` },
    body: form,
  });
  return { status: response.status, body: asRecord(await response.json()) };
}

describe('GET /redirects/export', () => {
  it('answers with a UTF-8 CSV file that has a byte order mark', async () => {
    const { headers, bytes, lines } = await exported();
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="redirects.csv"');
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(lines).toEqual(['Von;Nach;Status;Typ;Treffer;Zuletzt;Herkunft']);
  });

  it('lists open paths of the 404 log by hits, then redirects by path', async () => {
    const page = await createPage(server, site, { slug: 'x', published: true });
    await callOk(server, 'PUT', `/pages/${page}`, { slug: 'y' });
    await addRedirect('/b', '/ziel; mit "Zeichen"', 302);
    await addRedirect('/a', 'https://elsewhere.example/');
    for (const path of ['/seldom', '/often', '/often', '/ignored']) await visit(server, path, { host });
    await visit(server, '/often', { host, headers: { Referer: 'https://from.example/p' } });
    await call(server, 'PUT', `/notfound?root_id=${site}&path=/ignored`, { body: { ignored: true } });
    await visit(server, '/a', { host });
    const { lines } = await exported();
    const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d`;
    const patterns = [
      'Von;Nach;Status;Typ;Treffer;Zuletzt;Herkunft',
      `/often;;;404;3;${time};https://from.example/p`,
      `/seldom;;;404;1;${time};`,
      `/a;https://elsewhere.example/;301;manuell;1;${time};`,
      '/b;"/ziel; mit ""Zeichen""";302;manuell;0;;',
      '/x;/y;301;auto;0;;',
    ];
    expect(lines.length).toBe(patterns.length);
    for (const [index, pattern] of patterns.entries())
      expect(lines[index]).toMatch(new RegExp(`^${pattern}$`));
  });

  it('contains times in the time zone of the server', async () => {
    await visit(server, '/dead', { host });
    const [entry] = await callList(server, `/notfound?root_id=${site}`);
    const { lines } = await exported();
    const local = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Europe/Berlin',
      dateStyle: 'short',
      timeStyle: 'short',
    }).format(Number(entry?.['last_at']) * 1000);
    expect(lines[1]).toBe(`/dead;;;404;1;${local};`);
  });

  it('changes nothing when its file is imported', async () => {
    await addRedirect('/=a', '/ziel; mit "Zeichen"', 302);
    await addRedirect('/späte seite', '/@b');
    await visit(server, '/=HYPERLINK(%22http://e%22,%22x%22)', { host });
    await visit(server, '/a%0ab', { host });
    const before = await redirects();
    const { status, body } = await upload(new Uint8Array((await exported()).bytes), '&delete=1');
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { delimiter: ';', rows: 4, created: 0, updated: 0, deleted: 0, unchanged: 2, open: 2 },
    });
    expect(await redirects()).toEqual(before);
  });

  it('answers 400 without website and 404 for an unknown one', async () => {
    expect((await call(server, 'GET', '/redirects/export')).status).toBe(400);
    expect((await call(server, 'GET', '/redirects/export?root_id=99999')).status).toBe(404);
  });
});

describe('POST /redirects/import', () => {
  it('creates redirects and reports all fields', async () => {
    const { status, body } = await upload(
      'Von;Nach;Status\n/A/;/b;302\n/c;https://elsewhere.example/;\n/d;;\n',
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      delimiter: ';',
      rows: 3,
      created: 2,
      updated: 0,
      deleted: 0,
      unchanged: 0,
      open: 1,
      changes: [
        { action: 'create', source: '/a', target: '/b', status: 302 },
        { action: 'create', source: '/c', target: 'https://elsewhere.example/', status: 301 },
      ],
      errors: [],
      error_count: 0,
      imported: true,
    });
    expect(await redirects()).toEqual([
      ['/a', '/b', 302, false],
      ['/c', 'https://elsewhere.example/', 301, false],
    ]);
  });

  it('updates redirects that differ, makes them manual, and leaves the others unchanged', async () => {
    const page = await createPage(server, site, { slug: 'x', published: true });
    await callOk(server, 'PUT', `/pages/${page}`, { slug: 'y' });
    await addRedirect('/same', '/t', 302);
    await addRedirect('/status', '/t');
    await addRedirect('/unnamed', '/t');
    await addRedirect('/open', '/t');
    const { body } = await upload('von,nach,status\n/x,/z,\n/same,/t,\n/status,/t,302\n/open,,\n');
    expect(body).toMatchObject({
      created: 0,
      updated: 2,
      unchanged: 1,
      open: 1,
      deleted: 0,
      changes: [
        { action: 'update', source: '/x', target: '/z', status: 301, old_target: '/y', old_status: 301 },
        { action: 'update', source: '/status', target: '/t', status: 302, old_target: '/t', old_status: 301 },
      ],
    });
    expect(await redirects()).toEqual([
      ['/open', '/t', 301, false],
      ['/same', '/t', 302, false],
      ['/status', '/t', 302, false],
      ['/unnamed', '/t', 301, false],
      ['/x', '/z', 301, false],
    ]);
  });

  it('leaves an automatic redirect automatic when its row changes nothing', async () => {
    const page = await createPage(server, site, { slug: 'x', published: true });
    await callOk(server, 'PUT', `/pages/${page}`, { slug: 'y' });
    expect((await upload('Von,Nach\n/x,/y\n')).body).toMatchObject({ unchanged: 1 });
    expect(await redirects()).toEqual([['/x', '/y', 301, true]]);
  });

  it('with delete=1 deletes redirects that the file lacks or lists without target', async () => {
    for (const source of ['/kept', '/open', '/unnamed']) await addRedirect(source, '/t');
    const csv = 'Von,Nach\n/kept,/t\n/open,\n';
    expect((await upload(csv, '&delete=1&dry_run=1')).body).toMatchObject({ deleted: 2, imported: false });
    expect((await redirects()).length).toBe(3);
    expect((await upload(csv, '&delete=1')).body).toMatchObject({
      deleted: 2,
      open: 1,
      unchanged: 1,
      changes: [],
    });
    expect(await redirects()).toEqual([['/kept', '/t', 301, false]]);
  });

  it('removes the sources of new redirects from the 404 log', async () => {
    await visit(server, '/dead', { host });
    await visit(server, '/still', { host });
    await upload('Von,Nach\n/dead,/\n/still,\n');
    const log = await callList(server, `/notfound?root_id=${site}`);
    expect(log.map((entry) => entry['path'])).toEqual(['/still']);
  });

  it('creates redirects that work at once', async () => {
    await upload('Von,Nach\n/imported,/there\n');
    expect((await visit(server, '/imported', { host })).header('location')).toBe('/there');
  });

  it.each([
    ['comma', 'Von,Nach\n/a,/b\n', ','],
    ['semicolon', 'Von;Nach\n/a;/b,c\n', ';'],
    ['tab', 'Von\tNach\n/a\t/b;c,d\n', '\t'],
    ['semicolons and quoted commas', '"Von";"Nach";"a,b,c,d"\n/a;/b;\n', ';'],
  ])('detects the delimiter: %s', async (_name, csv, delimiter) => {
    expect((await upload(csv)).body).toMatchObject({ delimiter, created: 1 });
  });

  it.each(['Von,Nach', 'source,target', 'FROM,To', 'alt,Ziel', 'Pfad,nach', ' von , NACH ', '"Von","Nach"'])(
    'finds its columns by %s',
    async (header) => {
      expect((await upload(`${header}\n/a,/b\n`)).body).toMatchObject({ created: 1 });
    },
  );

  it('accepts columns in any order, ignores others, and reads short rows, empty lines and CRLF', async () => {
    const csv = '\uFEFFNotiz,Nach,Typ,Von\r\nx,/b,y,/a\r\n\r\n,,,\r\n"mehr\r\nZeilen",/d,,/c\r\nz,/e\r\n';
    const { status, body } = await upload(csv, '&dry_run=1');
    expect(status).toBe(200);
    expect(body).toMatchObject({ rows: 3, created: 2, error_count: 1, errors: [{ row: 6 }] });
  });

  it.each(['dry_run', 'delete'])('refuses another value of the flag %s and writes nothing', async (flag) => {
    const { status, body } = await upload('Von,Nach\n/a,/b\n', `&${flag}=yes`);
    const params = { field: flag, reason: 'must be 1, true, 0 or false' };
    expect([status, body]).toMatchObject([400, { code: 'common.invalid', params }]);
    expect(await redirects()).toEqual([]);
  });

  it('removes the quote that an export adds to a cell', async () => {
    await upload(`Von,Nach\n'=a,'@b\n`);
    expect(await redirects()).toEqual([['/=a', '/@b', 301, false]]);
  });

  it.each([
    ['Von,Ziel,x\n', 200],
    ['Von,Wohin\n/a,/b\n', 'Nach'],
    ['Woher,Nach\n/a,/b\n', 'Von'],
    ['', 'Von'],
  ])('header %j', async (csv, outcome) => {
    const { status, body } = await upload(csv);
    if (outcome === 200) expect(status).toBe(200);
    else
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { code: 'csv.columnMissing', params: { column: outcome } },
      });
  });
});

describe('errors of an import', () => {
  const bad = [
    'Von,Nach,Status',
    '/,/x,',
    '/api/x,/x,',
    '/page,/x,',
    '/a,javascript:x,',
    '/b,/x,307',
    '/dup,/x,',
    '/DUP/,/y,',
    '/self,/self,',
    ',/x,',
    '/fine,/x,',
  ].join('\n');

  beforeEach(async () => {
    await createPage(server, site, { slug: 'page' });
  });

  const rows = [
    { row: 2, code: 'common.invalid', params: { field: 'source' } },
    { row: 3, code: 'common.invalid', params: { field: 'source' } },
    { row: 4, code: 'common.invalid', params: { field: 'source' } },
    { row: 5, code: 'common.invalid', params: { field: 'target' } },
    { row: 6, code: 'common.invalid', params: { field: 'status' } },
    { row: 8, code: 'redirect.duplicate', params: { source: '/dup', row: 7 } },
    { row: 9, code: 'redirect.loop', params: { source: '/self' } },
    { row: 10, code: 'common.invalid', params: { field: 'source' } },
  ];

  it('are all listed by a dry run, which answers 200', async () => {
    const { status, body } = await upload(bad, '&dry_run=1');
    expect(status).toBe(200);
    expect(body).toMatchObject({ error_count: rows.length, imported: false, errors: rows });
    expect(asRecord(Array.isArray(body['errors']) ? body['errors'][0] : undefined)).toHaveProperty('message');
  });

  it('answer 422 and write nothing', async () => {
    const { status, body } = await upload(bad);
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { error: expect.any(String), code: 'csv.errors', params: { count: rows.length } },
    });
    expect(await redirects()).toEqual([]);
  });

  it('are listed up to 50', async () => {
    const csv = `Von,Nach\n${'/api/x,/x\n'.repeat(60)}`;
    const { body } = await upload(csv, '&dry_run=1');
    expect(body).toMatchObject({ error_count: 60 });
    expect(body['errors']).toHaveLength(50);
  });

  it('include loops through rows and stored redirects, judged by the final state', async () => {
    await addRedirect('/c', '/a');
    const across = await upload('Von,Nach\n/a,/b\n/b,/c\n', '&dry_run=1');
    expect(across.body).toMatchObject({
      errors: [
        { row: 2, code: 'redirect.loop', params: { source: '/a' } },
        { row: 3, code: 'redirect.loop', params: { source: '/b' } },
      ],
    });
    expect((await upload('Von,Nach\n/a,/b\n/b,/c\n', '&delete=1')).status).toBe(200);
    expect(await redirects()).toEqual([
      ['/a', '/b', 301, false],
      ['/b', '/c', 301, false],
    ]);
    expect((await upload('Von,Nach\n/b,/a\n/a,/new\n')).status).toBe(200);
  });

  it('leave out rows without target', async () => {
    expect((await upload('Von,Nach\n/page,\n/api,\n')).body).toMatchObject({ open: 2, error_count: 0 });
  });
});

describe('an import is refused with', () => {
  it.each([
    ['an open quote', 'Von,Nach\n"/a,/b\n', 'csv.syntax'],
    ['a quote inside a cell', 'Von,Nach\n/a"b",/b\n', 'csv.syntax'],
    ['a cell without end', `Von,Nach\n"${'x'.repeat(200_000)}`, 'csv.syntax'],
    ['other bytes', new Uint8Array([0x56, 0x6f, 0x6e, 0xff, 0xfe]), 'common.invalid'],
    ['more than 20,000 rows', `Von,Nach\n${'/a,\n'.repeat(20_001)}`, 'csv.tooManyRows'],
  ])('%s', async (_name, csv, code) => {
    expect(await upload(csv)).toMatchObject({ status: 400, body: { code } });
  });

  it('a form without the file', async () => {
    const form = new FormData();
    form.append('file', 'Von,Nach');
    form.append('__proto__', 'x');
    expect(await send(form)).toMatchObject({
      status: 400,
      body: { code: 'common.invalid', params: { field: 'file' } },
    });
  });

  it('a second file', async () => {
    const form = new FormData();
    for (const name of ['file', 'file']) form.append(name, new Blob(['Von,Nach\n']), 'x.csv');
    expect(await send(form)).toMatchObject({ status: 400, body: { code: 'common.invalidForm' } });
  });

  it('an unknown website', async () => {
    const form = new FormData();
    form.append('file', new Blob(['Von,Nach\n']), 'x.csv');
    expect(await send(form, '0000')).toMatchObject({ status: 404, body: { code: 'common.notFound' } });
  });

  const boundary = 'multipart/form-data; boundary=x';
  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nVon,Nach\r\n';
  it.each([
    [
      'JSON in place of a form',
      'application/json',
      '{"files":[{"filepath":"/etc/passwd"}]}',
      415,
      'common.contentType',
    ],
    ['no boundary', 'multipart/form-data', part, 415, 'common.contentType'],
    ['an empty boundary', 'multipart/form-data; x=y', part, 400, 'common.invalidForm'],
    ['no end', boundary, part, 400, 'common.invalidForm'],
    ['no parts', boundary, 'nothing', 400, 'common.invalidForm'],
    ['an empty body', boundary, '', 400, 'common.invalidForm'],
    ['10,000 parts', boundary, `${part.repeat(10_000)}--x--\r\n`, 400, 'common.invalidForm'],
    [
      'a part header of 1 MB',
      boundary,
      `--x\r\nA: ${'y'.repeat(2 ** 20)}\r\n\r\nz\r\n--x--\r\n`,
      400,
      undefined,
    ],
  ])('%s', async (_name, type, raw, status, code) => {
    const answer = await call(server, 'POST', `/redirects/import?root_id=${site}`, {
      raw,
      headers: { 'Content-Type': type },
    });
    expect(answer.status).toBe(status);
    if (code !== undefined) expect(asRecord(answer.body)['code']).toBe(code);
  });
});

it('refuses a body of more than 8 MB before it arrives', async () => {
  const answer = await sendRaw(
    server.port,
    requestHead(
      `POST /api/v1/redirects/import?root_id=${site} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${masterToken}`,
      'Content-Type: multipart/form-data; boundary=x',
      `Content-Length: ${8 * 2 ** 20 + 1}`,
    ),
    '"common.tooLarge"',
  );
  expect(answer).toMatch(/^HTTP\/1.1 413 /);
});

it('imports 20,000 rows while the server answers pages, and removes their sources from the 404 log', async () => {
  await visit(server, '/r5', { host });
  await visit(server, '/other', { host });
  const rows = Array.from({ length: 20_000 }, (_, index) => `/r${index},/r${index + 1}\n`);
  const imported = upload(`Von,Nach\n${rows.join('')}`);
  expect((await visit(server, '/', { host })).status).toBe(200);
  expect(await imported).toMatchObject({ status: 200, body: { created: 20_000 } });
  expect(await callList(server, `/notfound?root_id=${site}`)).toMatchObject([{ path: '/other' }]);
});
