import { callOk } from './api.ts';
import { createPage, createSite, idOf } from './content.ts';
import { uploadText } from './folder-media.ts';
import type { TestServer } from './server.ts';

/** Numbers that are the same for a seed in every run. */
export function createRandom(seed: number): () => number {
  let state = seed * 2654435761;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}

/** Texts that files of some format could spoil. */
const texts = [
  '',
  'plain',
  '---\nnot: front\n---\n',
  '/*---\nname: x\n---*/\n',
  ' leading and trailing ',
  'tab\tand "quotes" and \'others\'',
  'yes',
  'null',
  '2024-01-01',
  '0123',
  '# heading\n\n* list\n',
  'line\r\nbreak\r\n',
  'ÄÖÜ ß é 漢字 😀 \u2028',
  '{% raw %}',
  'a: b\n- c\n',
  'ends with newline\n\n',
  '\\n \\ %20 % {env.X}',
  '<<<<<<<',
];
const names = ['Harbour', 'harbour', 'Harbour!', 'Con', 'aux', 'Ünder', '漢字', 'a/b', 'Two words', 'index'];

/** Fills a server with objects of all kinds, and answers with the ID of the home page. */
export async function fillWebsite(server: TestServer, seed: number): Promise<number> {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const some = (most: number) => Array.from({ length: 1 + Math.floor(random() * most) }, (_, index) => index);
  const post = async (path: string, body: object) => idOf(await callOk(server, 'POST', path, body));

  const folders = [
    0,
    await post('/folders', { name: 'Pictures' }),
    await post('/folders', { name: 'pictures' }),
  ];
  folders.push(await post('/folders', { name: 'CON: a/b', parent_id: folders[1] ?? 0 }));
  const files: number[] = [];
  for (const index of some(5))
    files.push(await uploadText(server, `${pick(names)}-${index}.txt`, pick(texts) + index, pick(folders)));
  for (const id of files)
    await callOk(server, 'PUT', `/files/${id}`, { alt: pick(texts), focus_x: random() });

  const assets: number[] = [];
  for (const _ of some(5))
    assets.push(
      await post('/assets', {
        name: pick(names),
        kind: pick(['css', 'js']),
        folder: pick(['', 'a', 'A', 'a/b']),
        content: pick(texts),
      }),
    );
  await post('/snippets', {
    name: 'figure',
    content: `{{ image(${files[0]}) }} ${pick(texts)}`,
    schema: {
      block: true,
      params: [
        { name: 'picture', type: 'file' },
        { name: 'text', type: 'textarea' },
        { name: 'to', type: 'link' },
      ],
      slots: [{ name: 'default' }],
    },
  });
  for (const name of ['Card', 'card', 'a.html', 'a.html/b', 'x/con'])
    await post('/snippets', {
      name,
      content: pick(texts),
      description: pick(texts),
      assets: [{ asset_id: pick(assets) }],
    });

  const site = await createSite(server, { title: pick(names), lang: 'en', domains: `s${seed}.test` });
  const pages = [site];
  for (const index of some(8)) {
    const parent = pick(pages);
    pages.push(
      await createPage(server, parent, {
        slug: `${pick(['a', 'con', 'index.html', 'blocks.json', 'b'])}${index === 0 ? '' : index}`,
        title: pick(texts) || 'x',
        html: pick(texts),
        published: random() < 0.7,
      }),
    );
  }
  const block = (id: string): object => ({
    id,
    type: 'figure',
    params: { picture: pick(files), text: pick(texts), to: { page: pick(pages), text: pick(texts) } },
  });
  const globals: number[] = [];
  for (const index of some(3))
    globals.push(
      await post('/global-blocks', {
        name: pick(names),
        folder: pick(['', 'a']),
        blocks: [block(`g${index}`)],
      }),
    );
  for (const id of pages)
    await callOk(server, 'PUT', `/pages/${id}`, {
      html: `${pick(texts)}{{ file(${pick(files)}).url }}{% for p in children(${pick(pages)}) %}{{ asset_url(${pick(assets)}) }}{% endfor %}`,
      head: pick(texts).replace('{%', ''),
      description: pick(texts).replace('{%', ''),
      noindex: random() < 0.3,
      assets: random() < 0.5 ? [{ asset_id: pick(assets), inherit: random() < 0.5 }] : [],
      blocks:
        random() < 0.5 ? [{ ...block('b1'), slots: { default: [{ id: 'b2', global: pick(globals) }] } }] : [],
      regions: random() < 0.5 ? { lead: pick(texts) } : {},
    });
  for (const id of pages.slice(1)) {
    const { parent_id } = await callOk(server, 'GET', `/pages/${id}`);
    if (random() < 0.3) await callOk(server, 'POST', `/pages/${id}/move`, { parent_id, index: 0 });
  }

  await post('/collections', {
    slug: 'people',
    name: pick(names),
    fields: [
      { name: 'name', type: 'text' },
      { name: 'friend', type: 'text' },
    ],
  });
  const fields = [
    { name: 'title', type: 'text' },
    { name: 'order', type: 'number', default: 3 },
    { name: 'author', type: 'reference', collection: 'people' },
    { name: 'others', type: 'references', collection: 'people' },
    { name: 'picture', type: 'file' },
    { name: 'to', type: 'link' },
    { name: 'day', type: 'date' },
    { name: 'tree', type: 'blocks' },
    {
      name: 'parts',
      type: 'group',
      many: true,
      fields: [
        { name: 'what', type: 'text' },
        { name: 'file', type: 'file' },
      ],
    },
    { name: 'body', type: pick(['markdown', 'html', 'textarea', 'text']) },
  ];
  await post('/collections', { slug: 'news', lang: 'en', detail_field: 'title', fields });
  await post('/collections', { slug: 'log', live: true, fields: [{ name: 'line', type: 'text' }] });
  await post('/collections/log/items', { data: { line: 'live' } });
  const authors: number[] = [];
  for (const _ of some(3))
    authors.push(await post('/collections/people/items', { data: { name: pick(names) } }));
  const entries: number[] = [];
  for (const _ of some(6))
    entries.push(
      await post('/collections/news/items', {
        published: random() < 0.5,
        data: {
          ...{
            title: pick([...names, '']),
            author: pick(authors),
            others: random() < 0.5 ? [pick(authors)] : null,
          },
          ...{ picture: pick(files), to: { entry: pick(authors) }, day: '2024-02-03', tree: [block('t')] },
          ...{
            parts: [{ what: pick(texts), file: pick(files) }],
            body: pick(texts),
            order: pick([null, 3, 7]),
          },
        },
      }),
    );
  await callOk(server, 'POST', '/collections/news/items/reorder', entries.toReversed());
  const flow = {
    nodes: [
      { id: 'in', type: 'inject', config: { payload: pick(texts) }, x: 10 },
      { id: 'a/b', type: 'function', name: 'Code', config: { code: 'return msg;\n' } },
    ],
    wires: [{ from: 'in', to: 'a/b' }],
  };
  for (const _ of some(2))
    await post('/workflows', { name: pick(names), description: pick(texts), enabled: random() < 0.5, flow });
  await post('/flow-nodes', {
    key: 'add_tax',
    name: 'Add tax',
    code: 'return msg;',
    params: [{ name: 'rate', type: 'number', default: 19 }],
  });
  for (const _ of some(2))
    await post('/pens', {
      title: pick(names),
      html: `<p>{{ file(${pick(files)}) }}`,
      css: pick(texts),
      public: true,
    });
  await post('/sources', {
    slug: 'weather',
    url: 'https://example.org/{city}',
    headers: { 'X-Key': '{env.WEATHER}' },
    cache_ttl: 5,
  });
  for (const index of some(3))
    await post('/redirects', {
      root_id: site,
      source: `/old-${index}`,
      target: pick(['/a,b', '/x"y', 'https://example.org/?a=1,2']),
    });
  await linkGerman(server, site, pages);
  return site;
}

async function linkGerman(server: TestServer, site: number, pages: readonly number[]): Promise<void> {
  const german = await createPage(server, site, { slug: 'de', title: 'Deutsch', lang: 'de' });
  await callOk(server, 'POST', `/pages/${site}/translations`, { page_id: german }).catch(() => undefined);
  const [, other] = pages;
  if (other === undefined) return;
  const version = await createPage(server, german, { slug: 'version', title: 'Fassung' });
  await callOk(server, 'POST', `/pages/${other}/translations`, { page_id: version }).catch(() => undefined);
}
