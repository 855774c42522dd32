/** Layouts and snippets for what imported pages have in common. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import { Origin, runJob } from '../support/origin.ts';
import { invalid, notFound, runScenarios } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { visit } from './public-client.ts';

let server: TestServer;
let origin: Origin;
let job: Record<string, unknown>;
const host = 'suggested.example';
const paths = ['/', '/a', '/b', '/c', '/odd'];

const card = (title: string, text: string) =>
  `<article class="card"><a href="/${title}"><h3>${title}</h3></a><p>${text}</p><img src="https://i.example/${title}.png" alt=""></article>`;

const page = (path: string, cards: string) => `<!doctype html><html><head><title>${path}</title></head><body>
<header class="top"><a class="logo" href="/">The museum</a><nav><a href="/a"${path === '/a' ? ' aria-current="page"' : ''}>First</a>
<a href="/b"${path === '/b' ? ' aria-current="page"' : ''}>Second</a> <a href="/c">Third with more words</a></nav></header>
<main id="content"><h1>Page ${path}</h1><p>{{ not a tag }}</p>${cards}</main>
<footer><p>Open daily from ten to six, closed on holidays. {% neither %}</p><p>Address and all that stands at the end.</p></footer></body></html>`;

beforeAll(async () => {
  server = await startServer();
  origin = await new Origin({
    '/': page('/', card('one', 'Text of "one"') + card('two', 'Text <b>two</b>') + card('three', 'a\nb')),
    '/a': page('/a', card('four', 'x') + card('five', '{{ y }}')),
    '/b': page('/b', card('six', ' ')),
    '/c': page('/c', ''),
    '/odd': '<!doctype html><p>Nothing in common',
  }).listen();
  job = await runJob(server, '/import/run', {
    base: origin.url(),
    urls: paths.map((path) => origin.url(path)),
    new_site: { title: 'Suggested', domains: host },
    publish: true,
  });
});
afterAll(async () => {
  await origin.close();
  await server.stop();
});

const rendered = () => Promise.all(paths.map(async (path) => (await visit(server, path, { host })).text));

describe('suggestions', () => {
  it('are a layout and the markup that repeats', async () => {
    const list = await callList(server, `/import/jobs/${job['id']}/suggestions`);
    expect(list.map(({ kind, name }) => [kind, name])).toEqual([
      ['layout', 'layout'],
      ['snippet', 'card'],
    ]);
    // The fifth page has nothing in common with the others.
    expect(list[0]?.['pages']).toHaveLength(4);
    expect(list[0]).toMatchObject({
      parameters: expect.arrayContaining(['content']),
      html: expect.stringContaining('{% block content %}{% endblock %}'),
    });
    const cards = list.find(({ name }) => name === 'card');
    expect(cards).toMatchObject({ parameters: ['href_value', 'heading', 'p_text', 'src_value'] });
  });

  it('are shown as they would be applied, and nothing changes', async () => {
    const list = await callList(server, `/import/jobs/${job['id']}/suggestions`);
    const body = { suggestions: list.map(({ id }) => id), dry_run: true };
    const path = `/import/jobs/${job['id']}/suggestions/apply`;
    const target = Number(asRecord(job['result'])['target_page_id']);
    const html = (await callOk(server, 'GET', `/pages/${target}`))['html'];
    const result = await callOk(server, 'POST', path, body);
    expect(result).toMatchObject({
      snippets: [
        { id: 0, name: 'import/layout' },
        { id: 0, name: 'import/card' },
      ],
      skipped: [],
      templates: expect.arrayContaining([
        { id: target, before: html, after: expect.stringMatching(/^\{% extends "import\/layout" %\}/) },
      ]),
    });
    expect(result['pages']).toHaveLength(4);
    expect((await callOk(server, 'GET', `/pages/${target}`))['html']).toBe(html);
    expect(await callList(server, '/snippets')).toEqual([]);
    const names = Object.fromEntries(list.map(({ id }) => [id, 'same']));
    const taken = await call(server, 'POST', path, { body: { ...body, names } });
    expect(outcomeOf(taken)).toEqual({ status: 409, code: 'snippet.nameTaken' });
  });

  it('are applied without changing what visitors get', async () => {
    const before = await rendered();
    const list = await callList(server, `/import/jobs/${job['id']}/suggestions`);
    const result = await callOk(server, 'POST', `/import/jobs/${job['id']}/suggestions/apply`, {
      suggestions: list.map(({ id }) => id),
    });
    expect(result).toMatchObject({ skipped: [] });
    expect(await rendered()).toEqual(before);
    const snippets = Array.isArray(result['snippets']) ? result['snippets'].map(asRecord) : [];
    expect(snippets.map(({ name }) => name)).toEqual(['import/layout', 'import/card']);
    expect(result['pages']).toHaveLength(4);
    const target = Number(asRecord(job['result'])['target_page_id']);
    expect((await callOk(server, 'GET', `/pages/${target}`))['html']).toMatch(
      /^\{% extends "import\/layout" %\}\n[\s\S]*\{% block content %\}[\s\S]*\{% component "import\/card" /,
    );
  });

  it('that do not exist are refused', async () => {
    const answer = await call(server, 'POST', `/import/jobs/${job['id']}/suggestions/apply`, {
      body: { suggestions: ['none'] },
    });
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'common.invalid' });
  });

  runScenarios(
    () => server,
    [
      { name: 'unknown job', method: 'GET', path: '/import/jobs/none/suggestions', ...notFound },
      {
        name: 'no suggestion',
        method: 'POST',
        path: () => `/import/jobs/${job['id']}/suggestions/apply`,
        body: { suggestions: [] },
        ...invalid('suggestions'),
      },
    ],
  );

  it('are there for finished imports only', async () => {
    const scan = await runJob(server, '/import/scan', { url: origin.url() });
    const answer = await call(server, 'GET', `/import/jobs/${scan['id']}/suggestions`);
    expect(outcomeOf(answer)).toEqual({ status: 409, code: 'import.notFinished' });
  });
});
