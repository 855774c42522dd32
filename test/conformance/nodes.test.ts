import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import {
  createCollection,
  createItem,
  createPage,
  createSite,
  createSnippet,
  idOf,
} from '../support/content.ts';
import { EventReader } from '../support/event-reader.ts';
import { nginxFile, startNginx } from '../support/nginx.ts';
import { pageOf, startNode, startTwoNodes, type TwoNodes, until } from '../support/nodes.ts';
import { postgresFolder, type TestPostgres } from '../support/postgres.ts';
import { makeTempDir, runMain, startServer, type TestServer } from '../support/server.ts';
import { logIn, setUp, withSession } from '../support/session.ts';
import { nodeKey } from '../support/shared-database.ts';

/** Several nodes with one PostgreSQL (`server/cluster/README.md`), as clients see them. */

describe.skipIf(postgresFolder === undefined)('nodes of a shared database', () => {
  let nodes: TwoNodes | undefined;
  let postgres: TestPostgres;
  let database: string;
  let one: TestServer;
  let two: TestServer;
  let home: number;

  beforeAll(async () => {
    nodes = await startTwoNodes();
    ({ postgres, database, one, two } = nodes);
    home = await createSite(one, { title: 'Home' });
  });
  afterAll(() => nodes?.stop());

  it('show a change of one on all, when it is answered', async () => {
    const id = await createPage(one, home, {
      slug: 'shown',
      published: true,
      html: '<p>{{ page.title }}</p>',
    });
    for (let round = 0; round < 10; round++) {
      const [writer, reader] = round % 2 === 0 ? [one, two] : [two, one];
      await callOk(writer, 'PUT', `/pages/${id}`, { title: `Round ${round}` });
      expect(await pageOf(reader, '/shown')).toContain(`<p>Round ${round}</p>`);
      expect(await callOk(reader, 'GET', `/pages/${id}`)).toMatchObject({ title: `Round ${round}` });
    }
  });

  it('agree about what was created first', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        call(index % 2 === 0 ? one : two, 'POST', '/pages', {
          body: { parent_id: home, title: 'Race', slug: `race-${Math.floor(index / 4)}` },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 400 || status === 409)).toHaveLength(30);
    const ids = answers.filter(({ status }) => status === 201).map(({ body }) => idOf(asRecord(body)));
    expect(new Set(ids).size).toBe(10);
    expect(await callList(one, '/pages')).toEqual(await callList(two, '/pages'));
  });

  it('refuse the second of two saves that know the same state', async () => {
    const page = await callOk(one, 'POST', '/pages', { parent_id: home, title: 'Stamp', slug: 'stamp' });
    const save = (node: TestServer, title: string) =>
      call(node, 'PUT', `/pages/${idOf(page)}`, { body: { title, base_updated_at: page['updated_at'] } });
    const answers = await Promise.all([save(one, 'A'), save(two, 'B')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('answer a batch that is sent to both once', async () => {
    const body = {
      idempotency_key: 'nodes-1',
      ops: [{ op: 'create', kind: 'snippet', data: { name: 'once', content: 'x' } }],
    };
    const [first, second] = [
      await call(one, 'POST', '/batch', { body }),
      await call(two, 'POST', '/batch', { body }),
    ];
    expect(second.body).toMatchObject({ results: asRecord(first.body)['results'] });
    expect((await callList(one, '/snippets')).filter(({ name }) => name === 'once')).toHaveLength(1);
  });

  it('know what lists of entries depend on', async () => {
    const topics = await createCollection(one, { slug: 'topics', fields: [{ name: 'label', type: 'text' }] });
    const sea = await createItem(one, 'topics', { label: 'sea' });
    const land = await createItem(two, 'topics', { label: 'land' });
    await createCollection(one, {
      slug: 'news',
      fields: [
        { name: 'title', type: 'text' },
        { name: 'topics', type: 'references', collection: topics },
      ],
    });
    await createPage(two, home, {
      slug: 'list',
      published: true,
      html: `{% for entry in data("news", topics=${sea}) %}[{{ entry.title }}]{% endfor %}`,
    });
    expect(await pageOf(one, '/list')).not.toContain('[');
    await createItem(one, 'news', { title: 'Tide', topics: [sea] });
    expect(await pageOf(two, '/list')).toContain('[Tide]');
    await createItem(two, 'news', { title: 'Wave', topics: [sea] });
    await createItem(two, 'news', { title: 'Hill', topics: [land] });
    expect(await pageOf(one, '/list')).toContain('[Tide][Wave]');
    expect(await pageOf(two, '/list')).toContain('[Tide][Wave]');
  });

  it('use templates that another one has changed', async () => {
    const snippet = await createSnippet(one, {
      name: 'frame',
      content: '({% block content %}{% endblock %})',
    });
    await createPage(one, home, {
      slug: 'framed',
      published: true,
      html: '{% extends "frame" %}{% block content %}in{% endblock %}',
    });
    expect(await pageOf(two, '/framed')).toContain('(in)');
    await callOk(two, 'PUT', `/snippets/${snippet}`, { content: '<{% block content %}{% endblock %}>' });
    expect(await pageOf(one, '/framed')).toContain('<in>');
  });

  it('share accounts, sessions, tokens and settings', async () => {
    await setUp(one);
    const session = await logIn(two);
    expect((await call(one, 'GET', '/users', withSession(session))).status).toBe(200);
    const made = await call(
      one,
      'POST',
      '/tokens',
      withSession(session, { name: 'shared', can_write: true }),
    );
    const token = asRecord(made.body)['secret'];
    const { id } = asRecord(asRecord(made.body)['token']);
    expect((await call(two, 'GET', '/pages', { token: String(token) })).status).toBe(200);
    expect((await call(one, 'DELETE', `/tokens/${id}`, withSession(session))).status).toBe(204);
    expect(
      (await call(two, 'POST', '/snippets', { token: String(token), body: { name: 'no' } })).status,
    ).toBe(401);
    await callOk(one, 'PUT', '/security', { csp: "default-src 'self'" });
    expect((await fetch(`${two.url}/shown`)).headers.get('content-security-policy')).toContain(
      "default-src 'self'",
    );
    await callOk(two, 'PUT', '/security', { csp: '' });
    await callOk(one, 'PUT', '/system/mail', { host: 'mail.example.com' });
    expect(await callOk(two, 'GET', '/system/mail')).toMatchObject({ host: 'mail.example.com' });
    expect((await call(two, 'POST', '/auth/logout', withSession(session))).status).toBeLessThan(300);
    expect((await call(one, 'GET', '/users', withSession(session))).status).toBe(401);
  });

  it('end event streams of all with the credential that another one has ended', async () => {
    const session = await logIn(one);
    const streams = (headers: Record<string, string>) =>
      Promise.all([
        EventReader.open(two.url, '/changes?since=now', headers),
        EventReader.open(two.url, '/stats/live', headers),
      ]);
    const made = await call(one, 'POST', '/tokens', withSession(session, { name: 'streams' }));
    const { secret, token } = asRecord(made.body);
    const ofToken = await streams({ Authorization: `Bearer ${secret}` });
    const ofSession = await streams({ Cookie: `ic_session=${session}` });
    const others = await streams({});
    // Only a deletion that is answered has happened on all nodes.
    await call(one, 'DELETE', `/tokens/${asRecord(token)['id']}`, withSession(session));
    await Promise.all(ofToken.map((stream) => stream.end()));
    await call(one, 'POST', '/auth/logout', withSession(session));
    await Promise.all(ofSession.map((stream) => stream.end()));
    const ended = Promise.race(others.map((stream) => stream.end().catch(() => 'closed here')));
    for (const stream of others) stream.close();
    expect(await ended).toBe('closed here');
  });

  it('hold nothing in memory that another one has changed', async () => {
    const outcome = async (method: string, path: string, body?: unknown) =>
      outcomeOf(await call(two, method, path, body === undefined ? {} : { body }));
    const mail = { to: 'ada@example.com' };
    await callOk(one, 'PUT', '/system/mail', { host: '' });
    expect(await outcome('POST', '/system/mail/test', mail)).toMatchObject({ code: 'mail.notConfigured' });
    await callOk(one, 'PUT', '/system/mail', { host: '127.0.0.1', port: 1, from: 'cms@example.com' });
    expect(await outcome('POST', '/system/mail/test', mail)).toMatchObject({ code: 'mail.failed' });
    await callOk(one, 'PUT', '/extdb', [{ name: 'db', url: 'http://127.0.0.1:1', token: 't' }]);
    expect(await outcome('GET', '/extdb/db/tables')).toMatchObject({ code: 'extdb.failed' });
    await callOk(one, 'PUT', '/extdb', []);
    expect(await outcome('GET', '/extdb/db/tables')).toMatchObject({ status: 404 });
    const enabled = (await callOk(two, 'GET', '/geo'))['enabled'];
    await callOk(one, 'PUT', '/geo', { enabled: enabled !== true });
    expect(await callOk(two, 'GET', '/geo')).toMatchObject({ enabled: enabled !== true });
    await callOk(two, 'PUT', '/geo', { enabled });
    expect(await callOk(one, 'GET', '/geo')).toMatchObject({ enabled });
    await callOk(one, 'PUT', '/storage', { cache_mb: 7 });
    await until(async () => (await callOk(two, 'GET', '/storage'))['cache_mb'] === 7);
    await callOk(two, 'PUT', '/system', { admin_enabled: false });
    expect((await call(one, 'GET', '/auth/status', { token: null })).status).toBe(404);
    await callOk(one, 'PUT', '/system', { admin_enabled: true });
    expect((await call(two, 'GET', '/auth/status', { token: null })).status).toBe(200);
    await callOk(one, 'POST', '/flow-nodes', { key: 'own', name: 'Own', code: 'return msg' });
    const flow = { nodes: [{ id: 'a', type: 'custom', x: 0, y: 0, config: { node: 'own' } }], wires: [] };
    expect(await outcome('POST', '/workflows', { name: 'Own', flow })).toMatchObject({ status: 201 });
  });

  it('count failed logins together', async () => {
    const attempt = (node: TestServer) =>
      call(node, 'POST', '/auth/login', {
        token: null,
        body: { username: 'nobody', password: 'wrong password' },
        headers: { 'X-Forwarded-For': '203.0.113.9' },
      });
    const statuses = [];
    for (let count = 0; count < 11; count++)
      statuses.push((await attempt(count % 2 === 0 ? one : two)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect((await attempt(two)).status).toBe(429);
  });

  it('run workflows that another one has saved', async () => {
    const flow = {
      nodes: [
        { id: 'in', type: 'http-in', x: 0, y: 0, config: { method: 'GET', path: 'echo', public: true } },
        { id: 'out', type: 'http-response', x: 1, y: 0, config: { body: 'first' } },
      ],
      wires: [{ from: 'in', to: 'out' }],
    };
    const made = await call(one, 'POST', '/workflows', { body: { name: 'Echo', enabled: true, flow } });
    expect(made.status).toBe(201);
    const asked = await call(two, 'GET', '/flows/echo', { token: null });
    expect(asked.status).not.toBe(404);
  });

  it('share the 404 log, hits of redirects and runs of workflows', async () => {
    await callOk(one, 'POST', '/redirects', { root_id: home, source: '/went', target: '/shown' });
    for (const node of [one, two, one]) {
      await pageOf(node, '/nowhere');
      await pageOf(node, '/went');
    }
    const flow = { nodes: [{ id: 'start', type: 'inject', x: 0, y: 0, config: {} }], wires: [] };
    const { id } = await callOk(one, 'POST', '/workflows', { name: 'Count', enabled: true, flow });
    await callOk(one, 'POST', `/workflows/${id}/run`, {});
    await callOk(two, 'POST', `/workflows/${id}/run`, {});
    // A list shows what its own node has noted at once, and what others have written within a second.
    const lists = (node: TestServer) =>
      Promise.all([
        callList(node, `/notfound?root_id=${home}`),
        callList(node, `/redirects?root_id=${home}`),
        callList(node, `/workflows/${id}/runs`),
      ]);
    await until(async () => {
      const [left, right] = [await lists(one), await lists(two)];
      const [dead, redirects, runs] = left;
      expect(dead.find(({ path }) => path === '/nowhere')).toMatchObject({ hits: 3 });
      expect(redirects.find(({ source }) => source === '/went')).toMatchObject({ hits: 3 });
      expect(runs).toHaveLength(2);
      expect(right).toEqual(left);
      return true;
    });
    await callOk(two, 'DELETE', `/notfound?root_id=${home}`);
    await until(async () => (await callList(one, `/notfound?root_id=${home}`)).length === 0);
  });

  it('tell their state', async () => {
    for (const node of [one, two]) {
      const health = asRecord(await (await fetch(`${node.url}/healthz`)).json());
      expect(health).toMatchObject({ status: 'ok', node: { lease: true, lag: 0 } });
      const metrics = await (await fetch(`${node.url}/metrics`)).text();
      expect(metrics).toMatch(/^incipit_node_lease 1$/m);
      expect(metrics).toMatch(/^incipit_node_lag 0$/m);
      expect(metrics).toMatch(/^incipit_node_applied_seconds_count [1-9]\d*$/m);
    }
    const leaders = await Promise.all(
      [one, two].map(async ({ url }) =>
        (await (await fetch(`${url}/metrics`)).text()).includes('\nincipit_node_leader 1\n'),
      ),
    );
    expect(leaders.filter((leads) => leads)).toHaveLength(1);
  });

  it('lose nothing with their files', async () => {
    const dataDir = makeTempDir();
    const first = await startNode(database, { dataDir });
    expect(await callList(first, '/pages')).toEqual(await callList(one, '/pages'));
    await first.stop();
    await createPage(one, home, { slug: 'meanwhile', published: true, html: 'while you were away' });
    const again = await startNode(database, { dataDir });
    expect(again.log()).not.toContain('the replica was filled');
    expect(await pageOf(again, '/meanwhile')).toContain('while you were away');
    await again.stop();
    rmSync(join(dataDir, 'replica'), { recursive: true });
    const filled = await startNode(database, { dataDir });
    expect(await pageOf(filled, '/meanwhile')).toContain('while you were away');
    expect(await callList(filled, '/snippets')).toEqual(await callList(one, '/snippets'));
    await filled.stop();
    rmSync(dataDir, { recursive: true });
  });

  it('take a token of the command line', async () => {
    const env = { IC_DATABASE: database, IC_ENCRYPTION_KEY: nodeKey };
    const { stdout, code } = await runMain(['-create-token', 'line'], env);
    expect(code).toBe(0);
    for (const node of [one, two])
      expect((await call(node, 'GET', '/pages', { token: stdout.trim() })).status).toBe(200);
  });

  it.skipIf(nginxFile === undefined)(
    'go on behind nginx, configured as in the documents, when one is gone',
    async () => {
      const third = await startNode(database);
      const proxy = await startNginx([third.port, one.port, two.port]);
      try {
        const id = await createPage(proxy, home, {
          slug: 'proxied',
          published: true,
          html: '<p>{{ page.title }}</p>',
        });
        expect(await pageOf(proxy, '/proxied')).toContain('<p>proxied</p>');
        await third.end('SIGKILL');
        for (let round = 0; round < 5; round++) {
          expect(await pageOf(proxy, '/proxied')).toContain('<p>');
          await callOk(proxy, 'PUT', `/pages/${id}`, { title: `Round ${round}` });
          expect(await pageOf(proxy, '/proxied')).toContain(`<p>Round ${round}</p>`);
        }
      } finally {
        await proxy.stop();
        await third.stop();
      }
    },
  );

  it('show the same after random changes on random nodes', async () => {
    const random = numbers(7);
    const layout = await createSnippet(one, { name: 'tree', content: treeLayout });
    const root = await createPage(two, home, { slug: 'tree', published: true, html: '{% extends "tree" %}' });
    const ids = [root];
    const paths = new Set(['/tree']);
    const changes = [
      async (node: TestServer) => {
        const parent = ids[random(ids.length)] ?? root;
        const html = '{% extends "tree" %}';
        const made = await call(node, 'POST', '/pages', {
          body: {
            parent_id: parent,
            title: `T${random(1000)}`,
            slug: `s${random(1000)}`,
            published: true,
            html,
          },
        });
        if (made.status !== 201) return;
        ids.push(idOf(asRecord(made.body)));
        paths.add(String(asRecord(made.body)['path']));
      },
      (node: TestServer) =>
        call(node, 'PUT', `/pages/${ids[random(ids.length)]}`, {
          body: { title: `T${random(1000)}`, hide_in_nav: random(3) === 0, published: random(4) > 0 },
        }),
      (node: TestServer) =>
        call(node, 'PUT', `/pages/${ids[1 + random(ids.length - 1)] ?? root}`, {
          body: { slug: `r${random(1000)}` },
        }),
      async (node: TestServer) => {
        if (ids.length < 4) return;
        await call(node, 'DELETE', `/pages/${ids.splice(1 + random(ids.length - 1), 1)[0]}`);
      },
      (node: TestServer) =>
        call(node, 'PUT', `/snippets/${layout}`, {
          body: { content: `${treeLayout}<!-- ${random(1000)} -->` },
        }),
    ];
    for (let round = 0; round < 60; round++) {
      await changes[random(changes.length)]?.(random(2) === 0 ? one : two);
      const asked = [...paths].filter((_path, index) => index === 0 || random(3) === 0);
      const shown = await Promise.all(
        [one, two].map((node) =>
          Promise.all(asked.map(async (path) => withoutHost(await pageOf(node, path)))),
        ),
      );
      expect(shown[0]).toEqual(shown[1]);
    }
    expect(paths.size).toBeGreaterThan(5);
  });

  describe('move', () => {
    const contentHash = async (node: TestServer) => (await callOk(node, 'GET', '/bundle/info'))['hash'];

    it('from a data directory to a database, and back, with the same content', async () => {
      const alone = makeTempDir();
      const copied = makeTempDir();
      rmSync(copied, { recursive: true });
      const target = await postgres.createDatabase();
      // Alone, also where all other servers of the tests are nodes.
      const before = await startServer({
        dataDir: alone,
        env: { IC_DATABASE: '', IC_ENCRYPTION_KEY: '' },
      });
      const site = await createSite(before, { title: 'Moving' });
      await createPage(before, site, { slug: 'box', title: 'a\u{10FFFF}b', published: true });
      const hash = await contentHash(before);
      const running = await runMain(['-data', alone], { IC_COPY_TO: target });
      expect(running).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('another server is running'),
      });
      await before.stop();
      const there = await runMain(['-data', alone], { IC_COPY_TO: target });
      expect(there).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^Copied \d+ rows of \d+ tables/),
      });
      expect(await runMain(['-data', alone], { IC_COPY_TO: target })).toMatchObject({ code: 1 });
      const node = await startNode(target);
      expect(await contentHash(node)).toBe(hash);
      const early = await runMain(['-copy-to', copied], { IC_DATABASE: target });
      expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('stop all nodes') });
      await createPage(node, site, { slug: 'later' });
      const later = await contentHash(node);
      await node.stop();
      expect(await runMain(['-copy-to', copied], { IC_DATABASE: target })).toMatchObject({ code: 0 });
      const after = await startServer({ dataDir: copied });
      expect(await contentHash(after)).toBe(later);
      expect(await createPage(after, site, { slug: 'last' })).toBeGreaterThan(site);
      await after.stop();
      for (const folder of [alone, copied]) rmSync(folder, { recursive: true });
    }, 180_000);

    it('to the tables of a newer version, when no node of an older one runs', async () => {
      const older = await postgres.createDatabase();
      const node = await startNode(older, { env: { IC_LEASE: '2' } });
      await createSite(node, { title: 'Older' });
      // As version 19 of the content had it: without the tables of the migration that followed.
      await postgres.query(
        older,
        "UPDATE incipit.lanes SET schema_version = CASE name WHEN 'content' THEN 19 ELSE schema_version - 1 END",
      );
      const beside = await runMain(['-addr', '127.0.0.1:0'], {
        IC_DATABASE: older,
        IC_ENCRYPTION_KEY: nodeKey,
      });
      expect(beside).toMatchObject({ code: 1, stderr: expect.stringContaining('stop all of them') });
      await node.stop();
      await postgres.query(
        older,
        'DROP TABLE incipit_content.file_hashes; DROP TABLE incipit_content.connections; ' +
          'DROP TABLE incipit_activity.auth_events; DROP TABLE incipit_activity.sqlite_sequence',
      );
      const upgraded = await startNode(older);
      expect(await callList(upgraded, '/pages?roots=1')).toMatchObject([{ title: 'Older' }]);
      expect(await postgres.query(older, 'SELECT count(*) FROM incipit_content.connections')).toEqual([
        { count: '0' },
      ]);
      await upgraded.stop();
    });
  });

  describe('refuse to start', () => {
    const refusal = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
      const dataDir = makeTempDir();
      try {
        const { code, stderr } = await runMain(['-data', dataDir, '-addr', '127.0.0.1:0', ...args], env);
        expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, lines: 1 });
        return stderr;
      } finally {
        rmSync(dataDir, { recursive: true });
      }
    };

    it('with a password that others can see', async () => {
      const url = new URL(database);
      url.password = 'secret-word';
      const line = await refusal(['-database', url.href], { IC_ENCRYPTION_KEY: nodeKey });
      expect(line).toContain('IC_DATABASE');
      expect(line).not.toContain('secret-word');
    });

    it('without a common key', async () => {
      expect(await refusal([], { IC_DATABASE: database })).toContain('IC_ENCRYPTION_KEY');
    });

    it('to write a backup or to take one over', async () => {
      for (const command of ['-backup', '-restore']) {
        const line = await refusal([command, '/tmp/no-such-backup.zip'], { IC_DATABASE: database });
        expect(line).toContain('pg_dump');
      }
    });

    it('without PostgreSQL, and say no password', async () => {
      const IC_DATABASE = 'postgres://a:secret-word@127.0.0.1:1/none';
      const line = await refusal([], { IC_DATABASE, IC_ENCRYPTION_KEY: nodeKey });
      expect(line).toContain('cannot use the database');
      expect(line).not.toContain('secret-word');
    });

    it('on a database of a newer version', async () => {
      const newer = await postgres.createDatabase();
      const node = await startNode(newer);
      await node.stop();
      await postgres.query(newer, 'UPDATE incipit.lanes SET schema_version = 9999, writable_from = 9999');
      expect(await refusal([], { IC_DATABASE: newer, IC_ENCRYPTION_KEY: nodeKey })).toContain(
        'newer version',
      );
    });

    it('with files of another kind', async () => {
      const dataDir = makeTempDir();
      const node = await startNode(database, { dataDir });
      await node.stop();
      expect(readdirSync(join(dataDir, 'replica'))).toContain('content.db');
      const alone = await runMain(['-data', dataDir, '-addr', '127.0.0.1:0'], {});
      expect(alone).toMatchObject({ code: 1, stderr: expect.stringContaining('-database') });
      rmSync(dataDir, { recursive: true });
    });
  });
});

/** Shows the tree of pages and the pages below, so that nearly every change of pages changes it. */
const treeLayout =
  '{{ page.title }} {% for entry in nav() %}{{ entry.url }} {{ entry.title }};{% endfor %} {% for below in page.children %}[{{ below.title }}]{% endfor %}';

/** A page with the address of its server left out. */
function withoutHost(page: string): string {
  return page.replaceAll(/127\.0\.0\.1:\d+/g, 'host');
}

/** Random numbers below a limit, the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % Math.max(1, below);
  };
}
