import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callOk } from '../support/api.ts';
import { createCollection, createItem, idOf } from '../support/content.ts';
import { draw, upload } from '../support/media.ts';
import { runProgram } from '../support/program.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';

/** `incipit types` (Beyond, "The program"): what it writes compiles in a strict project and works. */

let server: TestServer;
let folder: string;
let file: string;
let text: string;
const tsc = join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'tsc');

const token = { INCIPIT_TOKEN: masterToken };

beforeAll(async () => {
  server = await startServer();
  folder = mkdtempSync(join(tmpdir(), 'incipit-types-'));
  file = join(folder, 'incipit.ts');
  const people = await createCollection(server, {
    slug: 'people',
    public_api: true,
    fields: [
      { name: 'name', type: 'text', required: true },
      { name: 'portrait', type: 'image' },
    ],
  });
  const scalar = ['text', 'textarea', 'html', 'markdown', 'number', 'boolean', 'date', 'url', 'file'];
  const parts = ['blocks', 'datetime', 'color', 'email', 'phone', 'link', 'place'];
  const posts = {
    slug: 'posts',
    public_api: true,
    fields: [
      { name: 'title', label: 'Title */ let broken = 1; /*', type: 'text', required: true },
      { name: 'cover', type: 'image' },
      { name: 'hero', type: 'image', required: true },
      { name: 'tone', type: 'select', options: ['calm', 'it\'s "loud"'] },
      { name: 'tags', type: 'multiselect', options: ['a', 'b'] },
      { name: 'author', type: 'reference', collection: people },
      { name: 'authors', type: 'references', collection: people },
      {
        name: 'rows',
        type: 'group',
        many: true,
        fields: [
          { name: 'class', type: 'text', required: true },
          { name: 'picture', type: 'image' },
          { name: 'by', type: 'reference', collection: people },
        ],
      },
      { name: 'one', type: 'group', fields: [{ name: 'a', type: 'number' }] },
      ...[...scalar, ...parts].map((type) => ({ name: `the_${type}`, type })),
    ],
  };
  await createCollection(server, posts);
  await createCollection(server, { slug: 'post-s', fields: [{ name: '_url', type: 'text' }] });
  await createCollection(server, { slug: 'post_s', fields: [] });
  await createCollection(server, {
    slug: 'about',
    singleton: true,
    public_api: true,
    fields: [{ name: 'text', type: 'markdown', required: true }],
  });
  await callOk(server, 'PUT', '/collections/about/item', { data: { text: 'Hello' } });
  const { body } = await upload(server, [
    { name: 'sea.png', bytes: await draw({ width: 20, height: 10, format: 'png' }) },
  ]);
  const picture = idOf(asRecord(Array.isArray(body) ? body[0] : body));
  const ada = await createItem(server, 'people', { name: 'Ada', portrait: picture });
  for (const title of ['One', 'Two', 'Three'])
    await createItem(server, 'posts', {
      title,
      hero: picture,
      author: ada,
      authors: [ada],
      rows: [{ class: 'x', picture, by: ada }],
      the_link: { url: 'https://example.com' },
      the_place: { lat: 1, lng: 2 },
    });
  const run = await runProgram(['types', '--remote', server.url, '--out', file], { env: token });
  expect(run).toMatchObject({ code: 0, stdout: '', stderr: '' });
  text = readFileSync(file, 'utf8');
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Compiles a program that uses the written file. @returns what the compiler says */
async function compile(name: string, code: string, lib = ['es2023']): Promise<string> {
  writeFileSync(join(folder, `${name}.ts`), code);
  const compilerOptions = {
    ...{
      target: 'es2023',
      lib,
      module: 'nodenext',
      types: [],
      noEmit: true,
      allowImportingTsExtensions: true,
    },
    ...{
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noImplicitOverride: true,
    },
    ...{ noImplicitReturns: true, noPropertyAccessFromIndexSignature: true, noUnusedLocals: true },
    ...{
      noUnusedParameters: true,
      isolatedModules: true,
      verbatimModuleSyntax: true,
      erasableSyntaxOnly: true,
    },
    ...{ declaration: true, isolatedDeclarations: true, noFallthroughCasesInSwitch: true },
  };
  const project = join(folder, `${name}.json`);
  writeFileSync(project, JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  try {
    await promisify(execFile)(tsc, ['-p', project]);
    return '';
  } catch (error) {
    return String(asRecord({ ...asRecord(error) })['stdout']);
  }
}

const use = `import { createClient, type Image, type PostsEntry } from './incipit.ts';
const client = createClient('http://example.com', { token: 'x' });
export async function titles(): Promise<string[]> {
  const posts = await client.list('posts', { _limit: 2, title__contains: 'sea', _sort: ['-title'] });
  const total: number = posts.total;
  return posts.map((post) => \`\${post.title.toUpperCase()} \${total}\`);
}
export async function parts(): Promise<void> {
  const post: PostsEntry = await client.get('posts', 1);
  const cover: Image | null = post.cover;
  const hero: Image = post.hero;
  const size: number | null = hero.width;
  const author: string | undefined = post.author?.name;
  const portrait: string | undefined = post.author?.portrait?.srcset;
  const names: readonly string[] | undefined = post.authors?.map(({ name }) => name);
  const tone: 'calm' | 'it\\'s "loud"' | null = post.tone;
  const tags: readonly ('a' | 'b')[] | null = post.tags;
  const row: string | undefined = post.rows?.[0]?.class;
  const by: string | undefined = post.rows?.[0]?.by?.name;
  const a: number | null | undefined = post.one?.a;
  const href: string | undefined = post.the_link?.href;
  const lat: number | undefined = post.the_place?.lat;
  const about: string = (await client.get('about')).text;
  const some = await client.list('posts', { _fields: ['title', 'id'] });
  const first: { title: string; id: number } | undefined = some[0];
  console.log(cover, size, author, portrait, names, tone, tags, row, by, a, href, lat, about, first);
}
declare const console: { log(...values: unknown[]): void };
`;

describe('the written file', () => {
  it('compiles in a strict project that knows neither browsers nor Node.js', async () => {
    expect(await compile('use', use)).toBe('');
  });

  it('compiles where browsers are known', async () => {
    expect(await compile('page', use.replace(/declare const console.*\n/, ''), ['es2023', 'dom'])).toBe('');
  });

  it.each<[what: string, code: string]>([
    ['an unknown collection', "await client.list('nothing');"],
    ['an unknown field', "(await client.get('posts', 1)).titel;"],
    ['a value that may be null', "(await client.get('posts', 1)).cover.url;"],
    ['a field that was not asked for', "(await client.list('posts', { _fields: ['id'] }))[0]?.title;"],
    ['a list of a singleton', "await client.list('about');"],
    ['a number as a text', "const text: string = (await client.get('posts', 1)).id; text;"],
  ])('refuses %s', async (_, code) => {
    const program = `import { createClient } from './incipit.ts';\nconst client = createClient('');\n${code}\nexport {};\n`;
    expect(await compile('wrong', program)).toMatch(/wrong\.ts\(3,\d+\): error TS/);
  });

  it('says null of exactly the fields that are not required', () => {
    expect(text).toContain('readonly title: string;');
    expect(text).toContain('readonly hero: Image;');
    expect(text).toContain('readonly cover: Image | null;');
    expect(text).toContain('readonly author: LinkedPeopleEntry | null;');
    expect(text).toContain('readonly authors: readonly LinkedPeopleEntry[] | null;');
  });
});

interface WrittenClient {
  list(
    slug: string,
    query?: object,
  ): Promise<readonly Record<string, unknown>[] & { readonly total: number }>;
  get(slug: string, id?: number): Promise<Record<string, unknown>>;
}

async function openClient(options: object = {}, url = server.url): Promise<WrittenClient> {
  const module: { createClient(url: string, options?: object): WrittenClient } = await import(
    pathToFileURL(file).href
  );
  return module.createClient(url, options);
}

describe('the client', () => {
  it('lists entries with images, references and their number', async () => {
    const posts = await (await openClient()).list('posts', { _limit: 2, _sort: ['-title'] });
    expect(posts.map(({ title }) => title)).toEqual(['Two', 'Three']);
    expect(posts.total).toBe(3);
    const image = { url: expect.stringMatching(/^\/media\/sea/), width: 20, height: 10, alt: '' };
    expect(posts[0]).toMatchObject({
      hero: image,
      cover: null,
      author: { name: 'Ada', portrait: image },
      rows: [{ class: 'x', picture: image, by: { name: 'Ada', portrait: image } }],
      the_link: { href: 'https://example.com' },
    });
  });

  it('gives an entry, and that of a singleton', async () => {
    const client = await openClient({}, `${server.url}/`);
    const [post] = await client.list('posts', { title: 'Two', _fields: ['id', 'title'] });
    expect(post).toEqual({ id: expect.any(Number), title: 'Two' });
    expect(await client.get('posts', Number(post?.['id']))).toMatchObject({ title: 'Two' });
    expect(await client.get('about')).toMatchObject({ text: 'Hello' });
  });

  it('fails with status and code', async () => {
    const client = await openClient();
    await expect(client.get('posts', 999_999)).rejects.toMatchObject({
      status: 404,
      code: 'common.notFound',
    });
    await expect(client.list('posts', { nothing: 1 })).rejects.toMatchObject({
      status: 400,
      code: 'data.unknownField',
    });
    await expect(client.list('post-s')).rejects.toMatchObject({ name: 'IncipitError', status: 404 });
  });

  it('sends the token', async () => {
    expect(await (await openClient({ token: masterToken })).list('post-s')).toHaveLength(0);
  });
});

describe('the command', () => {
  it('writes to standard output', async () => {
    const run = await runProgram(['types', '--remote', server.url, '--token', masterToken]);
    expect(run).toEqual({ code: 0, stdout: text, stderr: '' });
  });

  it.each<[what: string, args: string[]]>([
    ['a refused token', ['--token', 'wrong-token-0123456789abcdef']],
    ['no token', []],
  ])('exits with 4 for %s, and writes nothing', async (_, args) => {
    const out = join(folder, 'refused.ts');
    const run = await runProgram(['types', '--remote', server.url, '--out', out, ...args]);
    expect(run).toMatchObject({ code: 4, stdout: '', stderr: expect.stringMatching(/token/) });
    expect(existsSync(out)).toBe(false);
  });

  it('exits with 4 if no server is there', async () => {
    const run = await runProgram(['types', '--remote', 'http://127.0.0.1:9'], { env: token });
    expect(run).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('127.0.0.1:9') });
  });

  it.each<[formats: string, body: object]>([
    ['other formats', { version: '9.0.0', folder_formats: [2, 3] }],
    ['no folders', { version: '0.0.1' }],
  ])('asks a server first, and exits with 4 if it takes %s', async (_, body) => {
    const asked: string[] = [];
    const other = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    // Type boundary: a server on a port has such an address.
    const { port } = other.address() as AddressInfo;
    const run = await runProgram(['types', '--remote', `http://127.0.0.1:${port}`], { env: token });
    other.close();
    expect(run).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('format 1') });
    expect(asked).toEqual(['/api/v1/bundle/info']);
  });

  it.each<[args: string[], told: RegExp]>([
    [['types', '--remote', 'example.com'], /--remote must be an address/],
    [['types', '--nothing'], /--nothing/],
    [['types', '--out'], /--out/],
    [['types', '.', 'more'], /"more"/],
    [['types', '/nowhere-at-all'], /no folder/],
    [['typs'], /did you mean "types"/],
    [[], /which command/],
  ])('exits with 2 for %j', async (args, told) => {
    expect(await runProgram(args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(told),
    });
  });

  it('helps', async () => {
    const run = await runProgram(['--help']);
    expect(run).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('types [folder]') });
    expect((await runProgram(['types', '--help'])).stdout).toBe(run.stdout);
  });
});

it('serves what the file was written of', async () => {
  expect((await call(server, 'GET', '/bundle/info')).body).toMatchObject({ folder_formats: [1] });
});
