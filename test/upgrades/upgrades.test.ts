/** What the program of today reads of states that older programs have written. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visit } from '../conformance/public-client.ts';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { countsIn, importBundle } from '../support/bundles.ts';
import { Origin } from '../support/origin.ts';
import { postgresFolder, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { logIn, setUp, withSession } from '../support/session.ts';
import { answersTo, differenceBetween, type RecordedAnswer, withoutVariations } from './answers.ts';
import { expectedDifferences } from './expected-differences.ts';
import { folderOf, kinds, readAnswers, readState, type State, startOn, stateNames } from './state.ts';
import { type Copy, unpack } from './unpack.ts';
import { notInBundles } from './variations.ts';

let postgres: TestPostgres | undefined;
beforeAll(async () => {
  if (postgresFolder !== undefined) postgres = await startPostgres();
});
afterAll(() => postgres?.remove());

const cases = stateNames().flatMap((name) => kinds.map((kind) => ({ name, kind })));

describe.each(cases)('the state "$name" in $kind', ({ name, kind }) => {
  describe.skipIf(kind === 'postgres' && postgresFolder === undefined)('read by this program', () => {
    const folder = folderOf(name);
    let state: State;
    let recorded: RecordedAnswer[];
    let copy: Copy | undefined;
    let server: TestServer;

    beforeAll(async () => {
      state = readState(folder, kind);
      recorded = readAnswers(folder, kind);
      copy = await unpack(folder, kind, postgres);
      server = await startOn(state, copy.dataDir, copy.database);
    });
    afterAll(async () => {
      await server?.stop();
      copy?.remove();
    });

    // First, because what follows leaves changes and visits behind.
    it('answers as it did', async () => {
      const { session, password } = state.access;
      const unexpected = async (questions: readonly RecordedAnswer[]) =>
        differences(name, questions, await answersTo(server, questions, session));
      expect(await unexpected(recorded.filter(({ target }) => !isSensitive.test(target)))).toEqual([]);
      // Last, because the audit log notes it.
      const confirmed = await call(server, 'POST', '/auth/confirm', withSession(session, { password }));
      expect(confirmed.status).toBe(204);
      expect(await unexpected(recorded.filter(({ target }) => isSensitive.test(target)))).toEqual([]);
    });

    it('knows its users and tokens', async () => {
      const { writeToken, readToken } = state.access;
      const body = { name: 'odd/new', content: 'x' };
      const create = (token: string) => call(server, 'POST', '/snippets', { token, body });
      expect((await create(readToken)).status).toBe(403);
      expect((await create(writeToken)).status).toBe(201);
      expect((await call(server, 'GET', '/pages', { token: `${readToken}x` })).status).toBe(401);
      const wrong = { username: state.access.username, password: `${state.access.password}x` };
      expect((await call(server, 'POST', '/auth/login', { token: null, body: wrong })).status).toBe(401);
    });

    it('opens its secrets', async () => {
      const origin = await new Origin({ '/': ({ headers }) => String(headers['x-key']) }).listen();
      const port = new URL(origin.url()).port;
      const { status } = await visit(server, `/api/v1/flows/secret-out?port=${port}`);
      expect(status).toBe(200);
      expect(origin.requests.map(({ headers }) => headers['x-key'])).toEqual([state.access.secret]);
      await origin.close();
    });

    it('restores versions of its objects', async () => {
      const [page] = (await callList(server, '/pages')).filter(({ path }) => path === '/time');
      const versions = await callList(server, `/revisions?kind=page&id=${page?.['id']}`);
      expect(versions.length).toBeGreaterThan(1);
      for (const { id } of versions) {
        const { html } = asRecord((await callOk(server, 'GET', `/revisions/${id}`))['data']);
        await callOk(server, 'POST', `/revisions/${id}/restore`);
        expect(await callOk(server, 'GET', `/pages/${page?.['id']}`)).toMatchObject({ html });
      }
    });

    it('takes changes of what it has read', async () => {
      const pages = await callList(server, '/pages');
      for (const { id, title } of pages.slice(0, 3))
        expect(
          await call(
            server,
            'PUT',
            `/pages/${id}`,
            withSession(await logIn(server, state.access), { title: `${title}!` }),
          ),
        ).toMatchObject({ status: 200, body: { title: `${title}!` } });
    });
  });
});

describe.each(stateNames().map((name) => ({ name })))('the bundle of the state "$name"', ({ name }) => {
  it('brings its content to an empty server', async () => {
    const server = await startServer();
    try {
      const session = await setUp(server);
      const report = await importBundle(server, readFileSync(join(folderOf(name), 'bundle.zip')));
      expect(report).toMatchObject({ status: 200 });
      const recorded = readAnswers(folderOf(name), 'sqlite');
      const { counts } = asRecord(recorded.find(({ target }) => target.endsWith('/bundle/info'))?.body);
      expect(countsIn(report)['created']).toEqual(counts);
      const content = recorded.filter(({ target, as }) => as === 'admin' && isContent.test(target));
      // Settings are not in bundles, and headers tell nothing else.
      const bare = (answers: readonly RecordedAnswer[]) =>
        answers.map((answer) => withoutVariations({ ...answer, headers: {} }, notInBundles));
      const answers = await answersTo(server, content, session);
      expect(differences(name, bare(content), bare(answers))).toEqual([]);
    } finally {
      await server.stop();
    }
  });
});

/** Addresses that answer only to sessions that have just been confirmed. */
const isSensitive = /^\/api\/v1\/bundle\/backups\/./;

/** Addresses of objects that bundles have. */
const isContent =
  /^\/api\/v1\/(?:pages|assets|snippets|global-blocks|collections|sources|workflows|flow-nodes|pens|folders|files)(?:\?roots=1|\/\d+|\/\d+\/(?:translations|items|items\/\d+|items\/\d+\/translations))?$/;

/** The differences between recorded answers and those of this program, which are not expected. */
function differences(
  name: string,
  recorded: readonly RecordedAnswer[],
  answers: readonly RecordedAnswer[],
): string[] {
  const expected = expectedDifferences.filter(({ states }) => states.includes(name));
  return recorded.flatMap((answer, index) => {
    const now = answers[index];
    if (now === undefined) return [`GET ${answer.target}: no answer`];
    if (expected.some(({ address }) => address.test(answer.target))) return [];
    return differenceBetween(answer, now) ?? [];
  });
}
