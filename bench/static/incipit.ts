import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { asRecord, callOk } from '../../test/support/api.ts';
import { draw, upload } from '../../test/support/media.ts';
import { masterToken, startServer, type TestServer } from '../../test/support/server.ts';
import { memoryOfTree, processorTimeOfTree } from '../process-memory.ts';
import { articleOf, imageCount, pageCount, sections } from './content.ts';

export interface StaticRun {
  readonly pages: number;
  readonly seconds: number;
  /** Processor time of all processes that took part; undefined where the system does not tell. */
  readonly cpuSeconds: number | undefined;
}

export interface Contestant {
  /** Makes the whole website once. */
  run(): Promise<StaticRun>;
  close(): Promise<void>;
}

export interface IncipitContestant extends Contestant {
  /**
   * Exports once more and looks at the memory of all processes of the server, shared memory counted once. Looking costs
   * so much time that it is no part of a round. @returns the peak in MB; undefined where the system does not tell
   */
  peakMb(): Promise<number | undefined>;
}

/** A server that exports articles of one kind: entries of a collection, or pages with templates of their own. */
export async function openIncipit(kind: 'entries' | 'pages'): Promise<IncipitContestant> {
  const server = await startServer({ args: ['-workers', String(Math.max(1, availableParallelism() - 1))] });
  try {
    const site = await createContent(server, kind);
    // Image processes end after 30 s without work; their memory is not that of an export.
    await delay(32_000);
    return {
      run: () => exportOnce(server, site),
      async peakMb() {
        let peak: number | undefined;
        const watch = setInterval(() => {
          const now = memoryOfTree(server.pid);
          if (now !== undefined) peak = Math.max(peak ?? 0, now);
        }, 50);
        await exportOnce(server, site);
        clearInterval(watch);
        return peak;
      },
      close: () => server.stop(),
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

const layout = `<header>{{ site.title }}<nav>{% for entry in nav() %}<a href="{{ entry.url }}">{{ entry.title }}</a>{% endfor %}</nav></header>
<main>{% block main %}{% endblock %}</main><footer>{{ site.title }}</footer>`;

async function createContent(server: TestServer, kind: 'entries' | 'pages'): Promise<number> {
  const site = Number(
    (await callOk(server, 'POST', '/sites', { title: 'Lighthouse', domains: 'lighthouse.example' })).id,
  );
  await callOk(server, 'POST', '/snippets', { name: 'layout', content: layout });
  const images: number[] = [];
  for (let number = 0; number < imageCount; number += 1) {
    const bytes = await draw({ width: 1000 + number, height: 600 });
    const { id } = asRecord((await upload(server, [{ name: `image-${number}.jpg`, bytes }])).body);
    images.push(Number(id));
  }
  const html = '{% extends "layout" %}{% block main %}<h1>{{ page.title }}</h1>{% endblock %}';
  await callOk(server, 'PUT', `/pages/${site}`, { html });
  for (const slug of sections)
    await callOk(server, 'POST', '/pages', { parent_id: site, title: slug, slug, html, published: true });
  await (kind === 'entries' ? createEntries(server, site, images) : createPages(server, site, images));
  return site;
}

async function createEntries(server: TestServer, site: number, images: readonly number[]): Promise<void> {
  const fields = [
    { name: 'slug', label: 'Slug', type: 'text' },
    { name: 'title', label: 'Title', type: 'text' },
    { name: 'image', label: 'Image', type: 'image' },
    { name: 'body', label: 'Body', type: 'markdown' },
  ];
  await callOk(server, 'POST', '/collections', { name: 'Articles', slug: 'articles', fields });
  await callOk(server, 'POST', '/pages', {
    parent_id: site,
    title: 'Articles',
    slug: 'articles',
    catch_all: true,
    published: true,
    html: `{% extends "layout" %}{% block main %}{% set article = item("articles", "slug", route.slug) %}{% if not article %}{{ not_found() }}{% endif %}
<h1>{{ article.title }}</h1>{{ image(article.image) }}{{ article.body|markdown }}{% endblock %}`,
  });
  await inBatches((number) => {
    const { slug, title, image, markdown } = articleOf(number);
    const data = { slug, title, image: images[image], body: markdown };
    return { op: 'create', kind: 'item', collection: 'articles', data, published: true };
  }, server);
}

async function createPages(server: TestServer, site: number, images: readonly number[]): Promise<void> {
  const parent = await callOk(server, 'POST', '/pages', {
    parent_id: site,
    title: 'Articles',
    slug: 'articles',
    published: true,
    hide_in_nav: true,
  });
  await inBatches((number) => {
    const { slug, title, image, markdown } = articleOf(number);
    const html = `{% extends "layout" %}{% block main %}<h1>{{ page.title }}</h1>{{ image(${images[image]}) }}{% filter markdown %}\n${markdown}\n{% endfilter %}{% endblock %}`;
    return { op: 'create', kind: 'page', data: { parent_id: parent.id, slug, title, html, published: true } };
  }, server);
}

async function inBatches(operation: (number: number) => object, server: TestServer): Promise<void> {
  for (let start = 0; start < pageCount; start += 250) {
    const operations = Array.from({ length: 250 }, (_, index) => operation(start + index));
    await callOk(server, 'POST', '/batch', { ops: operations });
  }
}

async function exportOnce(server: TestServer, site: number): Promise<StaticRun> {
  const before = processorTimeOfTree(server.pid);
  const start = performance.now();
  const answer = await fetch(`${server.url}/api/v1/sites/${site}/static`, {
    headers: { Authorization: `Bearer ${masterToken}` },
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  const archive = Buffer.from(await answer.arrayBuffer());
  const seconds = (performance.now() - start) / 1000;
  let cpuMs = 0;
  for (const [pid, usedMs] of processorTimeOfTree(server.pid)) cpuMs += usedMs - (before.get(pid) ?? 0);
  return { pages: pagesIn(archive), seconds, cpuSeconds: before.size === 0 ? undefined : cpuMs / 1000 };
}

/** Each name is there twice: before the file, and in the directory. */
function pagesIn(archive: Buffer): number {
  return (archive.toString('latin1').match(/index\.html/g)?.length ?? 0) / 2;
}
