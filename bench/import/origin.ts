/**
 * A website to import, in a process of its own: `origin.ts <pages> <files>`. Prints its address when it listens. Files
 * are pictures and documents, each with bytes of its own; each page shows as many of them as there are files for it.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import sharp from 'sharp';

const [pages = 0, files = 0] = process.argv.slice(2).map(Number);
const picture = await sharp({
  create: {
    width: 480,
    height: 320,
    channels: 3,
    noise: { type: 'gaussian', mean: 128, sigma: 6 },
    background: '#888',
  },
})
  .jpeg({ quality: 40 })
  .toBuffer();
const document = Buffer.from(`%PDF-1.4\n${'%'.repeat(20_000)}`);
const paragraph = 'Words about nothing, with an end at some point. '.repeat(12);

const server = createServer((request, response) => {
  const path = request.url ?? '/';
  const [, name = '', extension = ''] = /^\/(?:files\/)?(\w*)\.?(\w*)$/.exec(path) ?? [];
  const send = (type: string, body: string | Buffer): void => {
    response.writeHead(200, { 'Content-Type': type }).end(body);
  };
  if (path === '/') send('text/html', pageText(0));
  else if (extension === 'jpg') send('image/jpeg', Buffer.concat([picture, Buffer.from(name)]));
  else if (extension === 'pdf') send('application/pdf', Buffer.concat([document, Buffer.from(name)]));
  else if (extension === 'css') send('text/css', `body { margin: 0 } .${name} { color: red }`);
  else if (extension === 'js') send('text/javascript', `console.log(${JSON.stringify(name)})`);
  else if (/^p\d+$/.test(name)) send('text/html', pageText(Number(name.slice(1))));
  else response.writeHead(404).end();
});

function pageText(number: number): string {
  const perPage = files / pages;
  const shown = Array.from({ length: perPage }, (_, index) => number * perPage + index);
  const links = Array.from({ length: 30 }, (_, index) => `/p${(number * 31 + index) % pages}`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${number}</title>
<link rel="stylesheet" href="/base.css"><link rel="stylesheet" href="/theme.css"></head><body>
<nav>${links.map((link) => `<a href="${link}">${link}</a>`).join('\n')}</nav>
<main><h1>Page ${number}</h1>${Array.from({ length: 8 }, () => `<p>${paragraph}</p>`).join('\n')}
${shown.map((file) => (file % 4 === 0 ? `<a href="/files/f${file}.pdf">f</a>` : `<img src="/files/f${file}.jpg" alt="">`)).join('\n')}
</main><script src="/app.js"></script></body></html>`;
}

server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
if (typeof address === 'object' && address !== null)
  process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`);
