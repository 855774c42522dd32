import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { callApi } from '../serve/site.ts';

/** The website under load, and a token that may write. */
export interface SoakSite {
  readonly url: string;
  readonly token: string;
  readonly pages: readonly { readonly id: number; readonly path: string }[];
}

/** What came of one kind of request. */
export interface Tally {
  requests: number;
  /** Answers from 500 on, by status. */
  readonly serverErrors: Map<number, number>;
  /** Requests without an answer, and answers that are wrong, by reason. */
  readonly faults: Map<string, number>;
  readonly latenciesMs: number[];
}

const pageCount = 60;

/** Creates a website of 60 pages on one layout, with one page of 1 MB for readers that are slow. */
export async function createSoakSite(url: string, token: string): Promise<SoakSite> {
  const site = await callApi(url, token, 'POST', '/sites', { title: 'Soak', domains: '' });
  const layout =
    '<nav>{% for page in nav() %}<a href="{{ page.url }}">{{ page.title }}</a>{% endfor %}</nav>';
  await callApi(url, token, 'POST', '/snippets', { name: 'menu', content: layout });
  const pages: { id: number; path: string }[] = [];
  for (let number = 1; number <= pageCount; number += 1) {
    const slug = `page-${number}`;
    const page = await callApi(url, token, 'POST', '/pages', {
      parent_id: site.id,
      title: `Page ${number}`,
      slug,
      html: htmlOf(`/${slug}`, 0),
      published: true,
    });
    pages.push({ id: page.id, path: `/${slug}` });
  }
  await callApi(url, token, 'POST', '/pages', {
    parent_id: site.id,
    title: 'Large',
    slug: 'large',
    html: 'A line of a large page.\n'.repeat(45_000),
    published: true,
  });
  return { url, token, pages };
}

/** What a page shows of itself; an answer without it is that of another request. */
function markOf(path: string): string {
  return `<p>This is ${path}.</p>`;
}

function htmlOf(path: string, edition: number): string {
  return `{% include "menu" %}${markOf(path)}<p>edition ${edition}.</p>${'<p>Some text of a page.</p>\n'.repeat(100)}`;
}

/** The load of visitors, editors and programs until `isOver`; the tallies fill while it runs. */
export class NormalLoad {
  readonly tallies = new Map<string, Tally>();
  readonly #site: SoakSite;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 });
  #turn = 0;

  constructor(site: SoakSite) {
    this.#site = site;
  }

  async run(isOver: () => boolean): Promise<void> {
    const repeat = async (everyMs: number, work: () => Promise<void>) => {
      while (!isOver()) {
        await work();
        await pause(everyMs);
      }
    };
    await Promise.all([
      ...Array.from({ length: 6 }, () => repeat(10, () => this.#visit())),
      repeat(30, () => this.#visitMissing()),
      repeat(100, () => this.#edit()),
      ...Array.from({ length: 2 }, () => repeat(20, () => this.#read())),
      repeat(500, () => this.#check()),
    ]);
    this.#agent.destroy();
  }

  #nextPage(): SoakSite['pages'][number] {
    this.#turn += 7;
    const page = this.#site.pages[this.#turn % this.#site.pages.length];
    if (page === undefined) throw new Error('the website has no pages');
    return page;
  }

  async #visit(): Promise<void> {
    const { path } = this.#nextPage();
    const text = await this.#ask('page', 'GET', path, 200);
    if (text !== undefined && !text.includes(markOf(path)))
      count(this.#tallyOf('page').faults, 'another answer');
  }

  async #visitMissing(): Promise<void> {
    await this.#ask('missing page', 'GET', `/nothing-${this.#turn % 50}`, 404);
  }

  /** Saves a page and looks at it: the visitor must see this edition. */
  async #edit(): Promise<void> {
    const { id, path } = this.#nextPage();
    const edition = this.#turn;
    const saved = await this.#ask('save', 'PUT', `/api/v1/pages/${id}`, 200, { html: htmlOf(path, edition) });
    if (saved === undefined) return;
    const text = await this.#ask('page after a save', 'GET', path, 200);
    if (text !== undefined && !text.includes(`edition ${edition}.`))
      count(this.#tallyOf('page after a save').faults, 'old content');
  }

  async #read(): Promise<void> {
    await this.#ask('API: one page', 'GET', `/api/v1/pages/${this.#nextPage().id}`, 200);
    await this.#ask('API: list', 'GET', '/api/v1/pages', 200);
  }

  async #check(): Promise<void> {
    await this.#ask('health', 'GET', '/healthz', 200);
    await this.#ask('sitemap', 'GET', '/sitemap.xml', 200);
  }

  /** The text of the answer if it has the expected status. */
  async #ask(
    kind: string,
    method: string,
    path: string,
    expected: number,
    body?: object,
  ): Promise<string | undefined> {
    const tally = this.#tallyOf(kind);
    tally.requests += 1;
    const start = performance.now();
    try {
      const { status, text } = await this.#exchange(method, path, body);
      tally.latenciesMs.push(performance.now() - start);
      if (status === expected) return text;
      if (status >= 500) count(tally.serverErrors, status);
      else count(tally.faults, `status ${status}`);
    } catch (error) {
      count(tally.faults, error instanceof Error ? error.message : String(error));
    }
    return undefined;
  }

  #exchange(
    method: string,
    path: string,
    body: object | undefined,
  ): Promise<{ readonly status: number; readonly text: string }> {
    return new Promise((resolve, reject) => {
      const headers = {
        ...(path.startsWith('/api/') ? { authorization: `Bearer ${this.#site.token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const options = { agent: this.#agent, method, headers, timeout: 30_000 };
      const call = request(`${this.#site.url}${path}`, options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('error', reject);
      });
      call.on('timeout', () => call.destroy(new Error('no answer within 30 s')));
      call.on('error', reject);
      call.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  #tallyOf(kind: string): Tally {
    const known = this.tallies.get(kind);
    if (known !== undefined) return known;
    const tally: Tally = { requests: 0, serverErrors: new Map(), faults: new Map(), latenciesMs: [] };
    this.tallies.set(kind, tally);
    return tally;
  }
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
