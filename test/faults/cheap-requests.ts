/** A request of at most 1 KB that anyone can send. */
export interface CheapRequest {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A kind of request. Limits are multiples of what a cached page costs. */
export interface Row {
  readonly name: string;
  /** The nth request. */
  readonly make: (n: number) => CheapRequest;
  readonly statuses: readonly number[];
  /** How many are measured; default 150. */
  readonly count?: number;
  /** Default for each figure: 30. `because` says why a row may cost more. */
  readonly most?: {
    readonly cpu?: number;
    readonly bytes?: number;
    readonly memory?: number;
    readonly because: string;
  };
}

/** Host of all requests but those with invented hosts. */
export const usualHost = 'one.test';

/** The page that all others are compared with. */
export const cachedPage: Row = {
  name: 'a cached page',
  make: () => ({ path: '/' }),
  statuses: [200],
  count: 1000,
};

const rendered = {
  cpu: 150,
  because: 'the address belongs to the page: a worker renders and compresses it once, then it is cached',
};
const lookedUp = {
  cpu: 100,
  because: 'a worker looks for a page, redirects and catch-all pages, renders the 404 page, and it is logged',
};
const hashed = {
  cpu: 10_000,
  // Four times 19 MB, for eight requests.
  memory: 2000,
  because: 'password hashes are slow on purpose; ten failures lock an address out, four are computed at once',
};

const toApi = { 'Content-Type': 'application/json' };
const credentials = (username: string) => JSON.stringify({ username, password: 'wrong password' });
const login = (body: string, net: string) => (n: number) => ({
  method: 'POST',
  path: '/api/v1/auth/login',
  headers: { ...toApi, 'X-Forwarded-For': `${net}.${n}` },
  body,
});
const get =
  (path: (n: number) => string, headers: (n: number) => Readonly<Record<string, string>> = () => ({})) =>
  (n: number): CheapRequest => ({ path: path(n), headers: headers(n) });
const at =
  (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  (): CheapRequest => ({ method, path, headers });

const pages: readonly Row[] = [
  { name: 'a cached page, compressed', make: at('/', { 'Accept-Encoding': 'gzip' }), statuses: [200] },
  { name: 'HEAD of a cached page', make: at('/', {}, 'HEAD'), statuses: [200] },
  { name: 'a page that is never cached', make: at('/live'), statuses: [200], most: rendered },
  { name: 'a page with another query', make: get((n) => `/?x=${n}`), statuses: [200], most: rendered },
  {
    name: 'a page with 400 parameters',
    make: get((n) => `/?${'a&'.repeat(400)}${n}`),
    statuses: [200],
    most: rendered,
  },
  {
    name: 'a page with an invented host',
    make: get(
      () => '/',
      (n) => ({ Host: `invented-${n}.test` }),
    ),
    statuses: [200],
    most: { ...rendered, because: 'a website without domains names the host; only 8 hosts are cached' },
  },
  { name: 'the address of a page in capitals', make: at('/LIVE'), statuses: [301], most: lookedUp },
  { name: 'a redirect', make: at('/old'), statuses: [301], most: lookedUp },
  { name: 'a dead address', make: get((n) => `/dead-${n}`), statuses: [404], most: lookedUp },
  {
    name: 'a dead address below a catch-all page',
    make: get((n) => `/all/${n}`),
    statuses: [404],
    most: { ...lookedUp, cpu: 150, because: 'the page itself is rendered too, to find that it has nothing' },
  },
  { name: 'a deep path', make: get((n) => `/${'a/'.repeat(400)}${n}`), statuses: [404], most: lookedUp },
  {
    name: 'an encoded path',
    make: get((n) => `/${'%C3%A4'.repeat(130)}${n}`),
    statuses: [404],
    most: lookedUp,
  },
];

const headers: readonly Row[] = [
  { name: 'a large header', make: at('/', { 'X-Large': 'x'.repeat(900) }), statuses: [200] },
  {
    name: '60 headers',
    make: at('/', Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`x-${n}`, 'y']))),
    statuses: [200],
  },
  { name: 'many cookies', make: at('/', { Cookie: 'a=b; '.repeat(180) }), statuses: [200] },
  {
    name: 'cookies that look like sessions',
    make: get(
      () => '/',
      (n) => ({ Cookie: `ic_session=${n}; ic_site=${n}; `.repeat(20) }),
    ),
    statuses: [200],
  },
  {
    name: 'many ranges',
    make: at('/', { Range: `bytes=${Array.from({ length: 150 }, (_, n) => `${n}-`).join(',')}` }),
    statuses: [200],
  },
  {
    name: 'many entity tags',
    make: at('/', { 'If-None-Match': `${'"a",'.repeat(200)}"b"` }),
    statuses: [200],
  },
  { name: 'any entity tag', make: at('/', { 'If-None-Match': '*' }), statuses: [304] },
  {
    name: 'many encodings',
    make: at('/', { 'Accept-Encoding': 'a;q=0.1,'.repeat(100) }),
    statuses: [200],
  },
];

const previews: readonly Row[] = [
  {
    name: 'a preview with a wrong token',
    make: get((n) => `/?ic_preview=${n}`),
    statuses: [200],
    most: rendered,
  },
  {
    name: 'a preview with a wrong session',
    make: get(
      (n) => `/?preview=1&n=${n}`,
      (n) => ({ Cookie: `ic_session=${n}` }),
    ),
    statuses: [200],
    most: rendered,
  },
  {
    name: 'another website with a wrong session',
    make: get(
      (n) => `/?_site=${n}`,
      () => ({ Cookie: 'ic_session=wrong' }),
    ),
    statuses: [200],
    most: rendered,
  },
];

const files: readonly Row[] = [
  { name: 'the sitemap', make: at('/sitemap.xml', { 'Accept-Encoding': 'gzip' }), statuses: [200] },
  {
    name: 'the sitemap with an invented host',
    make: get(
      () => '/sitemap.xml',
      (n) => ({ Host: `invented-${n}.test` }),
    ),
    statuses: [200],
    most: {
      cpu: 120,
      memory: 60,
      because: 'a worker fills the host into a text of 80 KB, without reading the content',
    },
  },
  { name: 'a part of the sitemap', make: get((n) => `/sitemap-${n + 1}.xml`), statuses: [404] },
  { name: 'robots.txt', make: at('/robots.txt'), statuses: [200] },
  {
    name: 'robots.txt with an invented host',
    make: get(
      () => '/robots.txt',
      (n) => ({ Host: `invented-${n}.test` }),
    ),
    statuses: [200],
  },
  { name: 'the favicon', make: at('/favicon.ico'), statuses: [200, 404] },
  { name: 'an asset', make: get((n) => `/_assets/css/1.css?v=${n}`), statuses: [200] },
  { name: 'an asset that does not exist', make: get((n) => `/_assets/css/${n + 2}.css`), statuses: [404] },
  { name: 'a file that does not exist', make: get((n) => `/media/${n}.png`), statuses: [404] },
  { name: 'the admin', make: at('/cms-admin/'), statuses: [200, 404] },
  { name: 'the health check', make: at('/healthz'), statuses: [200] },
];

const api: readonly Row[] = [
  { name: 'the index of the API', make: at('/api/v1'), statuses: [200, 404] },
  {
    name: 'openapi.json',
    make: at('/api/v1/openapi.json', { 'Accept-Encoding': 'gzip' }),
    statuses: [200],
  },
  {
    name: 'openapi.json for a client that takes no compression',
    make: at('/api/v1/openapi.json'),
    statuses: [200],
    most: { bytes: 120, because: 'it describes every endpoint; the rate limit bounds how often it is sent' },
  },
  { name: 'an unknown path of the API', make: get((n) => `/api/v1/nothing/${n}`), statuses: [404] },
  { name: 'a wrong method', make: at('/api/v1/pages', {}, 'PATCH'), statuses: [405] },
  { name: 'no credential', make: at('/api/v1/pages'), statuses: [401] },
  {
    name: 'a wrong token',
    make: get(
      () => '/api/v1/pages',
      (n) => ({ Authorization: `Bearer ic_${n}` }),
    ),
    statuses: [401],
  },
  {
    name: 'a wrong session',
    make: get(
      () => '/api/v1/pages',
      (n) => ({ Cookie: `ic_session=${n}` }),
    ),
    statuses: [401],
  },
  { name: 'the state of the login', make: at('/api/v1/auth/status'), statuses: [200] },
  {
    name: 'a login with a wrong password',
    make: login(credentials('ada'), '198.51.100'),
    statuses: [401],
    count: 8,
    most: hashed,
  },
  {
    name: 'a login of an unknown user',
    make: login(credentials('nobody'), '203.0.113'),
    statuses: [401],
    count: 8,
    most: {
      ...hashed,
      because: 'takes as long as a wrong password, so that nobody learns which users exist',
    },
  },
  { name: 'a deep body', make: login('['.repeat(700), '192.0.2'), statuses: [400] },
  {
    name: 'a body of many members',
    make: login(`{${'"a":1,'.repeat(90)}"b":1}`, '192.0.2'),
    statuses: [400],
  },
  {
    name: 'setup after setup',
    make: () => ({ method: 'POST', path: '/api/v1/auth/setup', headers: toApi, body: credentials('eve') }),
    statuses: [409],
  },
];

export const rows: readonly Row[] = [...pages, ...headers, ...previews, ...files, ...api];
