/** All addresses at which a server tells something of its state. */
import { asRecord } from '../support/api.ts';
import type { TestServer } from '../support/server.ts';
import { answerTo, type Question } from './answers.ts';

/** GET routes of the API that are not asked, each with its reason. */
const unasked: Readonly<Record<string, string>> = {
  '/': 'describes the program',
  '/openapi.json': 'describes the program',
  '/bundle': 'an archive with times; a state has one, which is imported',
  '/stats/live': 'visitors of the last minutes',
  '/stats/export': 'an archive; `/stats` tells the same',
  '/workflow-node-types': 'describes the program; `/flow-nodes` has the nodes of authors',
  '/cache': 'what is cached at the moment',
  '/storage/migrate': 'progress of what runs',
  '/bundle/push': 'progress of what runs',
  '/sites/{id}/static/progress': 'progress of what runs',
  '/presence': 'who is there at the moment',
  '/auth/sessions': 'tells of the request that asks',
  '/auth/confirm': 'time left in the session that asks',
  '/auth/invitation': 'needs the token, of which a state has only the hash',
  '/auth/oidc/start': 'leads to a provider, which does not answer',
  '/auth/oidc/callback': 'ends what the provider began',
};

/** Jobs end with the process, except those of nodes. */
const jobRoutes = ['/import/jobs/{id}', '/import/jobs/{id}/suggestions'];

const api = '/api/v1';
/** At this name every website answers that is the default. */
const host = 'default.test';
/** What visitors may ask, with or without success. */
const isOpen = /^\/(?:collections\/\d+(?:\/items)?|collections\/odd|data\/\w+|auth\/status)$/;
const anyDay = 'from=2020-01-01&to=2099-12-31';
/** The kinds of objects that have versions, and the others. */
const versionedKinds = {
  page: '/pages',
  asset: '/assets',
  snippet: '/snippets',
  globalblock: '/global-blocks',
  workflow: '/workflows',
  flownode: '/flow-nodes',
} as const;
const usedKinds = {
  page: '/pages',
  asset: '/assets',
  snippet: '/snippets',
  global_block: '/global-blocks',
  collection: '/collections',
  file: '/files',
  flow_node: '/flow-nodes',
} as const;
/** The kinds of objects that can have a working copy. */
const copiedKinds = {
  page: '/pages',
  asset: '/assets',
  snippet: '/snippets',
  global_block: '/global-blocks',
  collection: '/collections',
  item: '/collections/typed/items',
  source: '/sources',
  workflow: '/workflows',
  flow_node: '/flow-nodes',
  folder: '/folders',
  file: '/files',
} as const;

export class Addresses {
  readonly #server: TestServer;
  readonly #session: string;
  readonly #below = new Map<string, unknown>();

  constructor(server: TestServer, session: string) {
    this.#server = server;
    this.#session = session;
  }

  /** @throws Error if a GET route has neither an address nor a reason to have none */
  async find(signedPaths: readonly string[]): Promise<Question[]> {
    const ofApi = await this.#apiPaths();
    // Leaves a run behind, so it is asked when what tells of runs has been asked.
    const flow = '/flows/steady';
    await this.#checkRoutes([...ofApi, flow]);
    const question = (path: string, as: Question['as']): Question => ({ host, target: api + path, as });
    return [
      ...ofApi.map((path) => question(path, 'admin')),
      ...ofApi.filter((path) => isOpen.test(path)).map((path) => question(path, 'visitor')),
      question(flow, 'visitor'),
      ...(await this.#publicQuestions(signedPaths)),
    ];
  }

  async #get(path: string): Promise<unknown> {
    const known = this.#below.get(path);
    if (known !== undefined) return known;
    const { status, body } = await answerTo(
      this.#server,
      { host, target: api + path, as: 'admin' },
      this.#session,
    );
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
    this.#below.set(path, body);
    return body;
  }

  /** The objects in a list, or in the only list of an answer. */
  async #list(path: string): Promise<Record<string, unknown>[]> {
    const body = await this.#get(path);
    const list = Array.isArray(body) ? body : Object.values(asRecord(body)).find(Array.isArray);
    return (list ?? []).map(asRecord);
  }

  async #values(path: string, name = 'id'): Promise<string[]> {
    return (await this.#list(path)).map((object) => String(object[name]));
  }

  async #apiPaths(): Promise<string[]> {
    const each = (values: readonly string[], ...paths: readonly string[]) =>
      values.flatMap((value) => paths.map((path) => path.replace('{}', encodeURIComponent(value))));
    const sites = await this.#values('/pages?roots=1');
    const collections = await this.#values('/collections');
    const jobs = await this.#values('/import/jobs');
    return [
      ...['/auth/status', '/users', '/tokens', '/system', '/system/mail', '/security', '/security/sources'],
      ...['/storage', '/geo', '/cleanup', '/schema', '/blocks/types', '/blocks/types?usage=1'],
      ...['/page-layouts', '/workflow-secrets', '/changes?since=0', '/audit?limit=200'],
      ...['/connections', '/extdb', '/bundle/info', '/batch/first-batch', '/search?q=the', '/search?q=odd'],
      ...['/pages', '/pages?roots=1', '/assets', '/snippets', '/global-blocks', '/collections', '/sources'],
      ...['/workflows', '/flow-nodes', '/pens', '/webhooks', '/folders', '/files', '/import/jobs'],
      ...['/bundle/backups', `/stats?${anyDay}`],
      ...each(await this.#values('/pages'), '/pages/{}', '/pages/{}/translations', '/pages/{}/preview-links'),
      ...each(await this.#values('/pages'), '/pages/{}/render'),
      // All that they have is in other answers too.
      ...each(sites, '/pages/{}/mhtml'),
      ...each(await this.#values('/assets'), '/assets/{}'),
      ...each(await this.#values('/snippets'), '/snippets/{}'),
      ...each(await this.#values('/global-blocks'), '/global-blocks/{}', '/global-blocks/{}/usage'),
      ...each(collections, '/collections/{}', '/collections/{}/items', '/collections/{}/export'),
      ...each(await this.#values('/collections', 'slug'), '/collections/{}', '/data/{}'),
      ...(await this.#itemPaths(collections)),
      ...each(await this.#values('/sources'), '/sources/{}'),
      ...each(await this.#values('/workflows'), '/workflows/{}', '/workflows/{}/runs', '/workflows/{}/store'),
      ...each(await this.#values('/workflows'), `/workflows/{}/stats?${anyDay}`),
      ...each(await this.#values('/flow-nodes'), '/flow-nodes/{}', '/flow-nodes/{}/usage'),
      ...each(await this.#values('/pens', 'uuid'), '/pens/{}'),
      ...each(await this.#values('/files'), '/files/{}'),
      ...each(await this.#values('/webhooks'), '/webhooks/{}', '/webhooks/{}/deliveries'),
      ...each(await this.#values('/connections'), '/connections/{}/status', '/connections/{}/diff'),
      ...each(await this.#values('/extdb', 'name'), '/extdb/{}/tables', '/extdb/{}/tables/t1'),
      ...each(await this.#values('/bundle/backups', 'name'), '/bundle/backups/{}'),
      ...each(jobs, '/import/jobs/{}', '/import/jobs/{}/suggestions'),
      ...each(sites, '/redirects?root_id={}', '/redirects/export?root_id={}', '/notfound?root_id={}'),
      ...each(sites, `/stats?root_id={}&${anyDay}`, `/stats/paths?root_id={}&path=/time&${anyDay}`),
      ...each(sites, `/stats/values?root_id={}&dimension=browser&name=Firefox&${anyDay}`),
      ...each(sites, '/sites/{}/static?dry=1', '/sites/{}/failing-pages'),
      ...[
        '/auth/me',
        '/auth/factors',
        '/auth/factors/recovery-codes',
        '/system/oidc',
        '/roles',
        '/trash',
        '/starters',
      ],
      ...each(await this.#values('/roles'), '/roles/{}'),
      ...each(await this.#values('/users'), '/users/{}'),
      ...each(await this.#values('/trash'), '/trash/{}'),
      ...(await this.#changeSetPaths(sites)),
      ...(await this.#usagePaths()),
      ...(await this.#revisionPaths(collections)),
    ];
  }

  async #itemPaths(collections: readonly string[]): Promise<string[]> {
    const paths = await Promise.all(
      collections.map(async (collection) =>
        (await this.#values(`/collections/${collection}/items`)).flatMap((id) => {
          const item = `/collections/${collection}/items/${id}`;
          return [item, `${item}/translations`];
        }),
      ),
    );
    return paths.flat();
  }

  async #changeSetPaths(sites: readonly string[]): Promise<string[]> {
    const lists = [
      ...Object.entries(copiedKinds),
      ...sites.map((id) => ['redirect', `/redirects?root_id=${id}`] as const),
    ];
    const sets = await this.#values('/change-sets');
    const below = ['', '/items', '/diff', '/comments', '/preview-links'];
    const copies = await Promise.all(
      lists.map(async ([kind, list]) => {
        const ids = await this.#values(list);
        const open = await Promise.all(
          ids.map((id) => this.#values(`/change-sets?purpose=copy&kind=${kind}&id=${id}`)),
        );
        return ids
          .filter((_id, index) => open[index]?.length)
          .map((id) => `${list.split('?')[0]}/${id}/copy`);
      }),
    );
    return [
      '/change-sets',
      ...sets.flatMap((id) => below.map((end) => `/change-sets/${id}${end}`)),
      ...copies.flat(),
    ];
  }

  async #usagePaths(): Promise<string[]> {
    const paths = await Promise.all(
      Object.entries(usedKinds).map(async ([kind, list]) =>
        (await this.#values(list)).map((id) => `/usage?kind=${kind}&id=${id}`),
      ),
    );
    return paths.flat();
  }

  /** The versions of each object, and each version. */
  async #revisionPaths(collections: readonly string[]): Promise<string[]> {
    const paths: string[] = [];
    const lists = [
      ...Object.entries(versionedKinds),
      ...collections.map((id) => ['item', `/collections/${id}/items`] as const),
    ];
    for (const [kind, list] of lists)
      for (const id of await this.#values(list)) {
        const revisions = `/revisions?kind=${kind}&id=${id}`;
        paths.push(revisions, ...(await this.#values(revisions)).map((revision) => `/revisions/${revision}`));
      }
    return paths;
  }

  async #checkRoutes(paths: readonly string[]): Promise<void> {
    const described = asRecord(asRecord(await this.#get('/openapi.json'))['paths']);
    const hasJobs = (await this.#list('/import/jobs')).length > 0;
    const missing = Object.entries(described)
      .filter(([path, methods]) => 'get' in asRecord(methods) && !(path in unasked))
      .map(([path]) => path)
      .filter((path) => hasJobs || !jobRoutes.includes(path))
      .filter((path) => {
        const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
        return !paths.some((asked) => pattern.test(asked.split('?')[0] ?? ''));
      });
    if (missing.length > 0) throw new Error(`no address for GET ${missing.join(', ')}`);
  }

  async #publicQuestions(signedPaths: readonly string[]): Promise<Question[]> {
    const pages = await this.#list('/pages');
    const hostOf = new Map<unknown, string>();
    for (const id of await this.#values('/pages?roots=1')) {
      const { domains } = asRecord(await this.#get(`/pages/${id}`));
      hostOf.set(Number(id), String(domains).split(/\s+/)[0] || host);
    }
    const asked = new Map<string, Question>();
    const add = (at: string, target: string) =>
      asked.set(`${at}${target}`, { host: at, target, as: 'visitor' });
    for (const at of hostOf.values())
      for (const target of ['/robots.txt', '/sitemap.xml', '/favicon.ico', '/not/there', '/?page=2'])
        add(at, target);
    for (const page of pages) add(hostOf.get(page['root_id'] ?? page['id']) ?? host, String(page['path']));
    for (const target of [...signedPaths, '/old', '/away', '/zeit', '/all/below/it']) add('odd.test', target);
    // What pages refer to.
    for (const { host: at, target } of [...asked.values()])
      for (const found of await this.#linksIn(at, target)) add(at, found);
    for (const file of await this.#list('/files')) add(host, String(file['url']));
    return [...asked.values()];
  }

  async #linksIn(at: string, target: string): Promise<string[]> {
    const { body } = await answerTo(this.#server, { host: at, target, as: 'visitor' }, this.#session);
    if (typeof body !== 'string') return [];
    const values = [...body.matchAll(/(?:href|src|srcset|action)="([^"]*)"/g)].map(
      ([, value]) => value ?? '',
    );
    return values
      .flatMap((value) => value.replaceAll('&amp;', '&').split(/,\s+/))
      .map((value) => value.split(/[\s#]/)[0] ?? '')
      .filter((value) => /^\/(?!\/|cms-admin)/.test(value));
  }
}
