import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'parse5';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';
import { exportReport, exportSite } from '../support/static-export.ts';
import type { ZippedFile } from '../support/zip.ts';

/** The exported demo website, shown by a file server that knows nothing but files. */

let server: TestServer;
let files: ReadonlyMap<string, ZippedFile>;
let fileServer: Server;
let origin: string;

beforeAll(async () => {
  server = await startServer({ args: ['-demo'] });
  ({ files } = await exportSite(server, 1));
  fileServer = serveFiles();
  await new Promise<void>((resolve) => fileServer.listen(0, '127.0.0.1', resolve));
  // Type boundary: a server that listens on TCP has an address with a port.
  origin = `http://127.0.0.1:${(fileServer.address() as AddressInfo).port}`;
  // The first export waits for the variants of all images.
});
afterAll(async () => {
  fileServer.close();
  await server.stop();
});

const types = new Map([
  ['html', 'text/html'],
  ['css', 'text/css'],
  ['js', 'text/javascript'],
]);

/** As Apache and nginx do: `/visit` is the folder, which shows its index. */
function serveFiles(): Server {
  return createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://files.test').pathname).slice(1);
    const file = [path, `${path.replace(/\/$/, '')}/index.html`.replace(/^\//, '')].find((name) =>
      files.has(name),
    );
    response.statusCode = file === undefined ? 404 : 200;
    response.setHeader(
      'Content-Type',
      types.get((file ?? '404.html').replace(/.*\./, '')) ?? 'application/octet-stream',
    );
    response.end(files.get(file ?? '404.html')?.bytes);
  });
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

function elementsIn(html: string): Element[] {
  const elements: Element[] = [];
  const visit = (node: object): void => {
    if ('tagName' in node && 'attrs' in node)
      elements.push({
        name: String(node.tagName),
        attributes: Object.fromEntries(
          (node.attrs as readonly { name: string; value: string }[]).map(({ name, value }) => [name, value]),
        ),
      });
    if ('childNodes' in node) for (const child of node.childNodes as readonly object[]) visit(child);
  };
  visit(parse(html));
  return elements;
}

/** Everything that a browser would load or could follow from a document or a style sheet. */
function addressesIn(text: string, type: string): string[] {
  if (type.startsWith('text/css'))
    return [...text.matchAll(/url\(\s*["']?([^"')]+)/g)].map(([, address]) => address ?? '');
  if (!type.startsWith('text/html')) return [];
  return elementsIn(text).flatMap(({ attributes }) => [
    ...['href', 'src', 'poster', 'action', 'data'].flatMap((name) => attributes[name] ?? []),
    ...(attributes['srcset'] ?? '').split(',').flatMap((candidate) => candidate.trim().split(/\s/)[0] || []),
  ]);
}

describe('the exported demo website', () => {
  it('has no dead link and loads nothing that is missing', async () => {
    const dead: string[] = [];
    const seen = new Set<string>([`${origin}/`]);
    const waiting = [`${origin}/`];
    for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
      const answer = await fetch(address);
      if (answer.status !== 200) dead.push(address);
      const type = answer.headers.get('content-type') ?? '';
      for (const found of addressesIn(await answer.text(), type)) {
        const url = URL.parse(found, address);
        // A form needs the server.
        if (url === null || url.origin !== origin || url.pathname.startsWith('/api/')) continue;
        url.hash = '';
        if (seen.has(url.href)) continue;
        seen.add(url.href);
        waiting.push(url.href);
      }
    }
    expect(dead).toEqual([]);
    expect(seen.size).toBeGreaterThan(120);
  });

  it('has the same elements as the live one, with the same addresses but those of variants', async () => {
    const report = await exportReport(server, 1);
    const pages = (report['pages'] as readonly string[]).filter((_path, index) => index % 6 === 0);
    const shown = (html: string) =>
      elementsIn(html)
        .map(({ name, attributes }) => `${name} ${JSON.stringify(attributes)}`)
        .map((element) => element.replaceAll(/https?:\/\/127\.0\.0\.1:\d+\/?/g, '/'))
        .map((element) => element.replaceAll(/\.w(\d+)(\.\w+)/g, '$2?w=$1'));
    for (const path of pages) {
      const live = await (await fetch(server.url + path)).text();
      const still = await (await fetch(origin + path)).text();
      expect({ path, elements: shown(still) }).toEqual({ path, elements: shown(live) });
    }
  });

  it('answers unknown addresses with its 404 page', async () => {
    const answer = await fetch(`${origin}/nothing/here`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('<html');
  });
});
