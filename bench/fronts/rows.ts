import type { ManyPages } from '../api/pages.ts';
import type { LoadOptions } from '../serve/load.ts';

/** Half of the rows serve to tune a front; the others tell afterwards whether the gain is one for requests of any kind. */
export const rowSets = ['tuning', 'check'] as const;
export type RowSet = (typeof rowSets)[number];

/** A kind of request, sent to each front. */
export interface Row extends Pick<LoadOptions, 'pipelining' | 'headers' | 'status' | 'method' | 'body'> {
  readonly name: string;
  readonly set: RowSet;
  readonly path: string;
}

/** What Chrome sends for a page; `accept-encoding` apart. */
const browser = {
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'accept-language': 'de,en-US;q=0.7,en;q=0.3',
  'cache-control': 'max-age=0',
  'upgrade-insecure-requests': '1',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
  'sec-fetch-user': '?1',
  cookie: 'theme=dark; consent=2026-05-04',
};

const safari = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'sec-fetch-site': 'same-origin',
  'accept-encoding': 'gzip, deflate, br',
  'sec-fetch-mode': 'navigate',
  'user-agent':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'accept-language': 'de-DE,de;q=0.9',
  referer: 'http://localhost/journal',
  'sec-fetch-dest': 'document',
  priority: 'u=0, i',
};

const curl = { 'user-agent': 'curl/8.14.1', accept: '*/*' };

const crawler = {
  accept: 'text/html,application/xhtml+xml,application/signed-exchange;v=b3,application/xml;q=0.9,*/*;q=0.8',
  from: 'googlebot(at)googlebot.com',
  'user-agent':
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/141.0.0.0 Safari/537.36',
  'accept-encoding': 'gzip, deflate, br',
};

/** What a proxy adds. */
const proxied = {
  ...browser,
  'x-forwarded-for': '203.0.113.7',
  'x-forwarded-host': 'www.example.org',
  'x-forwarded-proto': 'https',
};

/** In this order; `if-none-match` gets the tag of the page. */
export function createRows({ token, pageId }: ManyPages): readonly Row[] {
  const gzip = { 'accept-encoding': 'gzip' };
  const api = { authorization: `Bearer ${token}` };
  const page = `/api/v1/pages/${pageId}`;
  const title = JSON.stringify({ title: 'Changed' });
  const row = (
    name: string,
    set: RowSet,
    path: string,
    headers: Row['headers'],
    rest: Partial<Row> = {},
  ) => ({
    ...{ name, set, path, headers, pipelining: 1 },
    ...rest,
  });
  return [
    row('cached page, 8 KB', 'tuning', '/bench-8', {}),
    row('cached page, 8 KB, headers of a browser', 'tuning', '/bench-8', browser),
    row('cached page, 30 KB, gzip', 'check', '/bench-30', gzip),
    row('cached page, 30 KB, gzip, headers of a browser', 'tuning', '/bench-30', { ...browser, ...gzip }),
    row('cached page, 30 KB, 16 requests in flight', 'check', '/bench-30', {}, { pipelining: 16 }),
    row('cached page, 8 KB, 16 requests in flight', 'tuning', '/bench-8', gzip, { pipelining: 16 }),
    row('304', 'tuning', '/bench-8', { 'if-none-match': '' }, { status: 304 }),
    row(
      '304, headers of a browser',
      'tuning',
      '/bench-8',
      { ...browser, 'if-none-match': '' },
      { status: 304 },
    ),
    row('CSS, gzip, headers of a browser', 'tuning', '/_assets/css/1.css', { ...browser, ...gzip }),
    row('cached page, 8 KB, headers of Safari', 'check', '/bench-8', safari),
    row('cached page, 30 KB, curl', 'check', '/bench-30', curl),
    row('cached page, 30 KB, gzip, a crawler', 'check', '/bench-30', crawler),
    row('robots.txt, a crawler', 'check', '/robots.txt', crawler),
    row('304, headers of Safari', 'check', '/bench-8', { ...safari, 'if-none-match': '' }, { status: 304 }),
    row('redirect, headers of Safari', 'check', '/bench-old', safari, { status: 301 }),
    row('404 page, a crawler', 'check', '/bench-nothing', crawler, { status: 404 }),
    row('API without a credential, curl', 'check', '/api/v1/pages', curl, { status: 401 }),
    row('health', 'tuning', '/healthz', {}),
    row('404 below a proxy', 'check', '/api/v1/nothing', { ...proxied, ...api }, { status: 404 }),
    row('API, GET of a page', 'tuning', page, api),
    row('API, GET of a page, gzip, headers of a browser', 'check', page, { ...browser, ...gzip, ...api }),
    row('API, list of 1,000 pages, gzip', 'tuning', '/api/v1/pages', { ...gzip, ...api }),
    row('API, list of 1,000 pages', 'check', '/api/v1/pages', api),
    row(
      'API, PUT of a page',
      'tuning',
      page,
      { ...api, 'content-type': 'application/json' },
      {
        method: 'PUT',
        body: title,
      },
    ),
    row(
      'API, PUT of a page, 30 KB',
      'check',
      page,
      { ...api, 'content-type': 'application/json' },
      {
        method: 'PUT',
        body: JSON.stringify({
          description: 'a lamp of brass and glass',
          html: '<p>lamp</p>\n'.repeat(2500),
        }),
      },
    ),
  ];
}
