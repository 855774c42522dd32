/** The page for authors of templates names every variable, field and function that templates have. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { templateFunctions } from '../../runtime/functions/index.ts';
import { asRecord, callOk } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

const reference = readFileSync(new URL('../../runtime/TEMPLATES.md', import.meta.url), 'utf8');

/** The names in the first column of the table below a heading, sorted. */
function namesBelow(heading: string): string[] {
  const [, section = ''] = reference.split(`\n${heading}\n`);
  const rows = section.slice(0, section.search(/^#/m)).matchAll(/^\| (`.*?) \|/gm);
  const names = [...rows].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)/g)].map(([, name = '']) => name),
  );
  return [...new Set(names)].sort();
}

let server: TestServer;
let data: Record<string, unknown>;
let variables: Record<string, unknown>;

beforeAll(async () => {
  server = await startServer();
  const home = await createSite(server);
  const page = await createPage(server, home, { slug: 'shop', published: true });
  data = await callOk(server, 'POST', `/pages/${page}/template-data`);
  variables = asRecord(data['variables']);
});
afterAll(() => server.stop());

test('variables', () => {
  expect(namesBelow('## What a page sees')).toEqual(Object.keys(variables).sort());
});

test.each(['page', 'site', 'route'])('fields of %s', (name) => {
  expect(namesBelow(`### \`${name}\``)).toEqual(Object.keys(asRecord(variables[name])).sort());
});

test('fields of entries', () => {
  const [entry] = Array.isArray(data['nav']) ? data['nav'] : [];
  expect(namesBelow('### Entries of `nav()` and `children()`')).toEqual(Object.keys(asRecord(entry)).sort());
});

test('functions', () => {
  expect(namesBelow('## Functions')).toEqual([...templateFunctions.keys()].sort());
});
