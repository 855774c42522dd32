/**
 * Odd material in pages of other websites. All of it is imported at once; then each page as visitors get it is
 * compared with the original: same text, same structure, same addresses after resolving them.
 */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, callList } from '../support/api.ts';
import { draw } from '../support/media.ts';
import { logOf, Origin, type OriginAnswer, runJob } from '../support/origin.ts';
import { contentOf, type PageContent } from '../support/page-content.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { visit } from './public-client.ts';

const host = 'odd.example';

/** A page with everything that it has in its body, if it is given as a text. */
type Oddity = string | Exclude<OriginAnswer, string>;

const html = (body: string, head = '') =>
  `<!doctype html><html><head><title>x</title>${head}</head><body>${body}</body></html>`;
const bytes = (text: string, encoding: 'latin1' | 'utf16le') => Buffer.from(text, encoding);

/** Pages whose content must be the same afterwards, by name. */
const same: Readonly<Record<string, Oddity>> = {
  'text without markup': { body: 'Nothing but text' },
  'nothing at all': { body: '' },
  'only white space': { body: ' \n ' },
  'a fragment without html and body': { body: '<p>One<p>Two' },
  'unclosed elements': '<ul><li>a<li>b<p>c<b>d<i>e</b>f</ul>g',
  'crossed formatting': '<b>1<i>2</b>3</i>4<a>5<a>6</a>',
  'a table with text in wrong places': '<table>lost<tr>also<td>cell</table>',
  'a form in a form': '<form action="/same"><form><input></form></form>',
  'a line break at the start of pre': '<pre>\n\n two</pre><textarea>\n\nx</textarea>',
  entities: '&amp;lt; &lt;b&gt; &nbsp;&euro;&#x1F600; &notin; &unknown; &#0; &copy',
  'quotes in attributes': `<p title='a "b" c' data-x="it's" data-y=plain data-z="a&quot;b&amp;c">x</p>`,
  'attributes twice': '<p class=a class=b>x</p>',
  'attributes in upper case': '<P CLASS=a OnClick="f()">x</P>',
  'odd names of attributes': '<p @click="x" :a="b" [c]="d" (e)="f" #g v-on:h.i="j">x</p>',
  'odd names of elements': '<my-element><o:p>x</o:p></my-element>',
  comments: '<!-- a --><p>x<!-- b -- c --></p><!--[if IE]><p>old</p><![endif]--><!doctype html>',
  'revealed conditional comments': '<![if !IE]><p>x</p><![endif]>',
  'processing instructions': '<?php echo 1 ?><p>x',
  CDATA: '<p><![CDATA[x]]></p><svg><desc><![CDATA[<y>]]></desc></svg>',
  'variables of a template language': '<p>{{ a }} {{{ b }}} {%if%} {# c #} {{- d -}} <%= f %></p>',
  'an unclosed tag of a template language': '<p>{{ a</p><p>{% b</p><p>{# c</p><p>{ {% }} %} #}',
  'tags of a template language in attributes': '<p title="{{ a }}" {{ b }} {%c%}="d">x</p>',
  'tags of a template language over several lines': '<p>{%\n a\n %}\n{{\n b }}</p>',
  'the end of verbatim': '<p>{% endverbatim %}{% verbatim %}{% endverbatim source0 %}{{ x }}</p>',
  'braces in code': '<script>if(a){{b({c:{}})}}/*{%*/</script><style>a{b:c}@media x{{d{e:f}}}</style>',
  'markup in a script': '<script>var a = "<p>{{ b }}</p><\\/script>"; // <!-- </script><p>x',
  'a script as a template': '<script type="text/x-handlebars"><p>{{name}}</p></script>',
  'JSON in a script':
    '<script type="application/ld+json">{"@context":"https://schema.org","a":"{{b}}"}</script>',
  'template elements': '<template><p>{{ a }}</p><template>b</template></template>',
  noscript: '<noscript><p>{{ a }}</p><b>b</b></noscript><p>c',
  svg: '<svg viewBox="0 0 1 1"><linearGradient id=a></linearGradient><path fill="url(#a)"/><foreignObject><p>x</p></foreignObject></svg>',
  mathml: '<math><mi>x</mi><annotation-xml encoding="text/html"><p>y</p></annotation-xml></math>',
  'data and other schemes':
    '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><a href="mailto:a@b.example">m</a><a href="tel:1">t</a><a href="javascript:void(0)">j</a><a href="about:blank">b</a>',
  'addresses that are none':
    '<a href="http://">a</a><a href="http://[x]/">b</a><a href="//">c</a><img src="">',
  'links within the page': '<a href="#a">a</a><a href="">b</a><a href="?x=1">c</a><a>d</a><a name=a>e</a>',
  'links in all forms':
    '<a href="/same">1</a><a href=" /same ">2</a><a href="/SAME/">3</a><a href="same?b=2&amp;a=1#c">4</a><a href="./x/../same">5</a><a href="\\same">6</a>',
  'links to other websites':
    '<a href="https://elsewhere.example/a?b#c">a</a><a href="//elsewhere.example">b</a><form action="https://elsewhere.example/"></form>',
  'links to pages that are not imported': '<a href="/missing/page?a=b#c">a</a><form action="search"></form>',
  frames:
    '<iframe src="/same" srcdoc="<p>{{ x }}</p>"></iframe><iframe src="https://elsewhere.example/embed"></iframe>',
  'image maps': '<img usemap="#m" src="/a.png"><map name=m><area href="/same" coords="0,0,1,1"></map>',
  'old attributes with images': '<table background="/a.png"><td background="a.png">x</table>',
  'images in odd places':
    '<video poster=/a.png></video><input type=image src=/a.png><object data=/a.png></object><embed src=/a.png>',
  'styles with addresses': `<p style="background:URL( '/a.png' )">x</p><style>a{b:url(/a.png)}c{d:url("data:x,(')'")}e{f:url()}</style>`,
  'styles with errors': '<style>a{b:url(/a.png;} } c{d:"e\nf} @import;</style><p style="}{;url(">x</p>',
  'lazy images':
    '<img data-src="/a.png" src="data:,"><div data-bg="url(/a.png)"></div><div data-bg="/a.png"></div><div data-src=\'{"a":"/a.png"}\'></div>',
  'an image that does not exist': '<img src="/missing.png"><a href="/missing.pdf">x</a>',
  'an image that is a page': '<img src="/page.png">',
  'an image that is damaged': '<img src="/damaged.png">',
  'an image that fails': '<img src="/failing.png">',
  'umlauts in addresses': '<img src="/bücher/ä ö.png"><img src="/b%C3%BCcher/%C3%A4%20%C3%B6.png">',
  'emoji and other planes': '<p>👩‍👩‍👧 𝔘 \u200f\u202e x',
  'private use characters': '<p>\u{F0000}\u{F0001}x\u{F0002}</p>',
  'a base': html('<a href="../same">a</a><img src="a.png">', '<base href="/deep/er/">'),
  'a base of another website': html('<a href="x">a</a>', '<base href="https://elsewhere.example/y/">'),
  'a base that is none': html('<a href="/same">a</a>', '<base target=_blank><base href="javascript:1">'),
  'windows-1252 in the header': {
    type: 'text/html; charset=iso-8859-1',
    body: bytes('<p>Grüße \x80 \x93x\x94', 'latin1'),
  },
  'windows-1252 in a meta': {
    type: 'text/html',
    body: bytes('<meta charset=windows-1252><p>Grüße \x80', 'latin1'),
  },
  'windows-1252 that nobody names': { type: 'text/html', body: bytes('<p>Grüße', 'latin1') },
  'UTF-8 that nobody names': { type: 'text/html', body: Buffer.from('<p>Grüße ☂') },
  'UTF-8 with a byte order mark': {
    type: 'text/html; charset=iso-8859-1',
    body: Buffer.from('\ufeff<p>Grüße ☂'),
  },
  'UTF-16 with a byte order mark': { type: 'text/html', body: bytes('\ufeff<p>Grüße ☂', 'utf16le') },
  'an encoding that does not exist': { type: 'text/html; charset=klingon', body: Buffer.from('<p>Grüße') },
  'bytes that are no UTF-8': {
    type: 'text/html; charset=utf-8',
    body: Buffer.concat([Buffer.from('<p>a'), Buffer.from([0xff, 0xc3]), Buffer.from('b')]),
  },
  'null bytes': { body: '<p>a\0b' },
  'a compressed answer': { body: gzipSync(html('<p>compressed')), headers: { 'Content-Encoding': 'gzip' } },
  XHTML: {
    type: 'application/xhtml+xml',
    body: '<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><body><p>x</p><br/></body></html>',
  },
  'attributes of html and body': {
    body: '<!doctype html><html lang=en class="a &quot;b&quot;" data-x="{{ y }}"><body id=c style="background:url(/a.png)" onload="f(\'<b>\')"><p>x',
  },
  'two bodies and heads': {
    body: '<html class=a><head><head><body class=b><p>x<html class=c lang=fr><body class=d id=e><p>y',
  },
  'a head with a body in it': {
    body: '<head><p>x</p><title>late</title><meta name=a content=b></head><body>y',
  },
  'deep nesting': `${'<div>'.repeat(300)}x`,
  'many attributes': `<p ${Array.from({ length: 500 }, (_, index) => `a${index}=${index}`).join(' ')}>x</p>`,
  'a long line': `<p>${'x '.repeat(100_000)}</p>`,
  'very many tags of a template language': `<p>${'{{'.repeat(20_000)}</p>`,
  integrity: '<script src="/a.js" integrity="sha384-x" crossorigin="anonymous" async></script>',
  modules: '<script type=module src="/a.js"></script><script nomodule src="/a.js"></script>',
  'a script that does not exist': '<script src="/missing.js"></script>',
  'scripts of other websites':
    '<script async src="https://elsewhere.example/x.js" integrity="sha384-x" crossorigin></script>',
};

/** Pages that cannot be imported, with the entry of the log. */
const failing: Readonly<Record<string, readonly [OriginAnswer, string]>> = {
  'is missing': [{ status: 404 }, 'import.pageNotLoaded'],
  fails: [{ status: 500 }, 'import.pageNotLoaded'],
  'needs a password': [{ status: 401 }, 'import.pageNotLoaded'],
  'leads to itself': [{ status: 302, headers: { Location: '/f3' } }, 'import.pageNotLoaded'],
  'leads to a file': [{ status: 302, headers: { Location: 'file:///etc/passwd' } }, 'import.pageNotLoaded'],
  'leads to a metadata service': [
    { status: 302, headers: { Location: 'http://169.254.169.254/' } },
    'import.pageNotLoaded',
  ],
  'breaks off': [
    (_request, response) =>
      void response.writeHead(200, { 'Content-Length': 100 }).write('x', () => response.destroy()),
    'import.pageNotLoaded',
  ],
  'has a broken compression': [
    { headers: { 'Content-Encoding': 'gzip' }, body: 'x' },
    'import.pageNotLoaded',
  ],
  'is a compression bomb': [
    { headers: { 'Content-Encoding': 'gzip' }, body: gzipSync(Buffer.alloc(20 * 2 ** 20)) },
    'import.pageNotLoaded',
  ],
  'is too large': [{ body: 'x'.repeat(9 * 2 ** 20) }, 'import.pageNotLoaded'],
  'is nested too deeply': [{ body: '<b>'.repeat(5000) }, 'import.pageNotRead'],
  'is an image': [{ type: 'image/png', body: 'x' }, 'import.pageNotHtml'],
};

let server: TestServer;
let origin: Origin;
let log: string[];
let pages: Record<string, unknown>[];
let known: ReadonlyMap<string, string>;

const sameAddress = new Map(Object.keys(same).map((name, index) => [name, `/s${index}`]));
const failingAddress = new Map(Object.keys(failing).map((name, index) => [name, `/f${index}`]));

beforeAll(async () => {
  server = await startServer();
  origin = await new Origin().listen();
  for (const [name, path] of sameAddress) {
    const answer = same[name] ?? '';
    origin.pages.set(
      path,
      typeof answer === 'string' && !answer.startsWith('<!doctype') ? html(answer) : answer,
    );
  }
  for (const [name, path] of failingAddress) origin.pages.set(path, failing[name]?.[0] ?? '');
  origin.pages.set('/', html('<h1>Home</h1>'));
  origin.pages.set('/same', html('<p>same</p>'));
  const png = await draw({ width: 4, height: 4, format: 'png' });
  for (const path of ['/a.png', '/deep/er/a.png', '/b%C3%BCcher/%C3%A4%20%C3%B6.png'])
    origin.pages.set(path, png);
  origin.pages.set('/page.png', { type: 'text/html', body: '<p>not found' });
  origin.pages.set('/damaged.png', png.subarray(0, 40));
  origin.pages.set('/failing.png', { status: 500 });
  origin.pages.set('/a.js', 'a()');
  const paths = ['/', '/same', ...sameAddress.values(), ...failingAddress.values()];
  const job = await runJob(server, '/import/run', {
    base: origin.url(),
    urls: paths.map((path) => origin.url(path)),
    new_site: { title: 'Odd', domains: host },
    publish: true,
  });
  expect(job).toMatchObject({ status: 'done' });
  log = logOf(job);
  known = await originals();
  const result = asRecord(job['result']);
  pages = (Array.isArray(result['pages']) ? result['pages'] : []).map(asRecord);
});
afterAll(async () => {
  await origin.close();
  await server.stop();
});

/** The address of the original that an address of the copy stands for. */
async function originals(): Promise<ReadonlyMap<string, string>> {
  const files = await callList(server, '/files?limit=1000');
  const assets = await callList(server, '/assets');
  return new Map([
    ...files.map(({ url, source_url }): [string, string] => [String(url), String(source_url)]),
    ...assets.map(({ id, kind, name }): [string, string] => [
      `/_assets/${kind}/${id}.${kind}`,
      origin.url(`/${name}`),
    ]),
  ]);
}

describe('a page', () => {
  it.each([...sameAddress])('has %s', async (_name, path) => {
    const answer = origin.pages.get(path);
    const resolve = (address: string, base: string): string => {
      if (address.trim() === '' || address.trim().startsWith('#')) return address.trim();
      const url = URL.parse(address, base);
      return url === null ? address : url.href;
    };
    const original: PageContent = contentOf(answer, {
      base: origin.url(path),
      resolve,
    });
    const { status, text } = await visit(server, path, { host });
    expect(status).toBe(200);
    const copy = contentOf(text, {
      base: origin.url(path),
      resolve(address, base) {
        const [, local = '', rest = ''] =
          /^(\/(?:media|_assets)\/[^?#]*)(?:\?[^#]*)?(#.*)?$/.exec(address) ?? [];
        const file = known.get(local);
        return file === undefined ? resolve(address, base) : file + rest;
      },
    });
    expect(copy).toEqual(original);
  });

  it.each([...failingAddress])('that %s fails alone', (name, path) => {
    expect(log).toContain(`${failing[name]?.[1]} ${path}`);
    const action = pages.find(({ source }) => source === origin.url(path))?.['action'];
    expect(action).toBe(failing[name]?.[1] === 'import.pageNotHtml' ? 'skipped' : 'failed');
  });

  it('is there for each that was asked for, and for no other', () => {
    expect(pages).toHaveLength(2 + sameAddress.size + failingAddress.size);
  });
});
