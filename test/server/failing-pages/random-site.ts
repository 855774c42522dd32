import { type ApiAnswer, asRecord, call, callList } from '../../support/api.ts';
import { idOf } from '../../support/content.ts';
import type { DescribedServer } from '../../support/contract.ts';
import type { Random } from '../delivery/random.ts';
import { RandomTemplates, slugs, titles } from './random-templates.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface RandomSiteOptions {
  readonly server: DescribedServer;
  readonly random: Random;
  /** Domains of the websites that are created. */
  readonly hosts: readonly string[];
  /** Slug of a source that is never asked. */
  readonly source: string;
}

/** Two random websites, changed over the API. What a rule refuses has not happened. */
export class RandomSite {
  readonly #server: DescribedServer;
  readonly #random: Random;
  readonly #hosts: readonly string[];
  readonly #templates: RandomTemplates;
  /** Home pages. */
  sites: readonly number[] = [];
  #collection = 0;

  constructor({ server, random, hosts, source }: RandomSiteOptions) {
    this.#server = server;
    this.#random = random;
    this.#hosts = hosts;
    this.#templates = new RandomTemplates(random, source);
  }

  async fill(): Promise<void> {
    for (const name of this.#templates.snippetNames) await this.#insertSnippet(name);
    const fields = ['slug', 'part'].map((name) => ({ name, type: 'text' }));
    this.#collection = idOf(
      asRecord((await this.#send('POST', '/collections', { slug: 'parts', fields })).body),
    );
    for (let entry = 0; entry < 4; entry++) await this.actions['insertEntry']?.();
    for (let block = 0; block < 2; block++) await this.actions['insertGlobal']?.();
    for (const domains of this.#hosts) {
      const site = idOf(asRecord((await this.#send('POST', '/sites', { title: 's1', domains })).body));
      this.sites = [...this.sites, site];
      await this.#send('PUT', `/pages/${site}`, { published: true, html: 'home' });
      for (let page = 0; page < 5; page++) await this.actions['insertPage']?.();
    }
  }

  async changeSomething(): Promise<string> {
    const [name, action] = this.#random.one(Object.entries(this.actions)) ?? [];
    await action?.();
    return name ?? '';
  }

  readonly actions: Readonly<Record<string, () => Promise<unknown>>> = {
    pageText: () => this.#changePage({ html: this.#templates.page() }),
    pageTextAgain: () => this.#changePage({ html: this.#templates.page() }),
    pageHead: () => this.#changePage({ head: this.#templates.fragment() }),
    pageTitle: () => this.#changePage({ title: this.#random.one(titles) }),
    pageSlug: async () => this.#changePage({ slug: this.#random.one(slugs) }),
    pageBlocks: async () =>
      this.#changePage({ blocks: this.#templates.tree(await this.#ids('/global-blocks')) }),
    pagePublished: () => this.#changePage({ published: this.#random.below(3) > 0 }),
    pageCatchAll: () => this.#changePage({ catch_all: this.#random.below(2) === 0 }),
    pageNoCache: () => this.#changePage({ no_cache: this.#random.below(2) === 0 }),
    insertPage: async () => {
      const html = this.#templates.page();
      const blocks = this.#templates.tree(await this.#ids('/global-blocks'));
      const [slug, title] = [this.#random.one(slugs), this.#random.one(titles)];
      const fields = { parent_id: await this.#pageId(), catch_all: this.#random.below(3) === 0 };
      const published = this.#random.below(5) > 0;
      return this.#send('POST', '/pages', { ...fields, slug, title, html, blocks, published });
    },
    insertPageAgain: () => this.actions['insertPage']?.() ?? Promise.resolve(),
    movePage: async () => {
      const [id, parent] = [await this.#pageId(), await this.#pageId()];
      return this.#send('POST', `/pages/${id}/move`, { parent_id: parent });
    },
    deletePage: async () => {
      const id = await this.#pageId();
      return this.sites.includes(Number(id)) ? undefined : this.#send('DELETE', `/pages/${id}`);
    },
    restorePage: async () => this.#restore('page', await this.#pageId()),
    snippetText: async () => {
      const snippet = await this.#object('/snippets');
      return this.#send('PUT', `/snippets/${snippet['id']}`, {
        content: this.#templates.snippet(String(snippet['name'])),
      });
    },
    snippetTextAgain: () => this.actions['snippetText']?.() ?? Promise.resolve(),
    renameSnippet: async () => {
      const { id } = await this.#object('/snippets');
      return this.#send('PUT', `/snippets/${id}`, { name: this.#random.one(this.#templates.snippetNames) });
    },
    deleteSnippet: async () => {
      const { id } = await this.#object('/snippets');
      return this.#random.below(2) === 0 ? this.#send('DELETE', `/snippets/${id}`) : undefined;
    },
    insertSnippet: () => this.#insertMissingSnippet(),
    insertSnippetAgain: () => this.#insertMissingSnippet(),
    restoreSnippet: async () => this.#restore('snippet', (await this.#object('/snippets'))['id']),
    insertGlobal: () => this.#send('POST', '/global-blocks', { name: 'g', blocks: this.#templates.tree([]) }),
    globalTree: async () => {
      const { id } = await this.#object('/global-blocks');
      return this.#send('PUT', `/global-blocks/${id}`, { blocks: this.#templates.tree([]) });
    },
    deleteGlobal: async () => {
      const { id } = await this.#object('/global-blocks');
      return this.#random.below(3) === 0 ? this.#send('DELETE', `/global-blocks/${id}`) : undefined;
    },
    insertEntry: () =>
      this.#send('POST', this.#entries, { data: this.#entry(), published: this.#random.below(4) > 0 }),
    entryData: async () => {
      const { id } = await this.#object(this.#entries);
      return this.#send('PUT', `${this.#entries}/${id}`, { data: this.#entry() });
    },
    entryPublished: async () => {
      const { id } = await this.#object(this.#entries);
      return this.#send('PUT', `${this.#entries}/${id}`, { published: this.#random.below(2) === 0 });
    },
    deleteEntry: async () => {
      const { id } = await this.#object(this.#entries);
      return this.#send('DELETE', `${this.#entries}/${id}`);
    },
    renameCollection: () =>
      this.#send('PUT', `/collections/${this.#collection}`, { slug: this.#random.one(['parts', 'pieces']) }),
    batch: () => this.#batch(),
  };

  get #entries(): string {
    return `/collections/${this.#collection}/items`;
  }

  /** Several objects change in one commit. */
  async #batch(): Promise<unknown> {
    const snippet = await this.#object('/snippets');
    const id = await this.#pageId();
    return this.#send('POST', '/batch', {
      ops: [
        { op: 'update', kind: 'page', id, data: { html: this.#templates.page() } },
        {
          op: 'update',
          kind: 'snippet',
          id: snippet['id'],
          data: { content: this.#templates.snippet(String(snippet['name'])) },
        },
      ],
    });
  }

  async #changePage(fields: Fields): Promise<unknown> {
    return this.#send('PUT', `/pages/${await this.#pageId()}`, fields);
  }

  async #restore(kind: string, id: unknown): Promise<unknown> {
    const versions = await callList(this.#server, `/revisions?kind=${kind}&id=${id}`);
    const version = this.#random.one(versions);
    return version && this.#send('POST', `/revisions/${version['id']}/restore`);
  }

  #entry(): Fields {
    return { slug: this.#random.one(['x', 'y', 'z']), part: this.#random.one(this.#templates.snippetNames) };
  }

  #insertSnippet(name: string): Promise<unknown> {
    return this.#send('POST', '/snippets', {
      name,
      content: this.#templates.snippet(name),
      ...this.#templates.schema(name),
    });
  }

  /** Pages that name a missing snippet fail; too many of these prove nothing. */
  async #insertMissingSnippet(): Promise<unknown> {
    const present = new Set((await callList(this.#server, '/snippets')).map(({ name }) => String(name)));
    const name = this.#random.one(this.#templates.snippetNames.filter((known) => !present.has(known)));
    return name === undefined ? undefined : this.#insertSnippet(name);
  }

  async #pageId(): Promise<unknown> {
    return (await this.#object('/pages'))['id'];
  }

  async #ids(path: string): Promise<number[]> {
    return (await callList(this.#server, path)).map(idOf);
  }

  async #object(path: string): Promise<Fields> {
    return this.#random.one(await callList(this.#server, path)) ?? { id: 0, name: '' };
  }

  /** @throws when the server fails */
  async #send(method: string, path: string, body?: Fields): Promise<ApiAnswer> {
    const answer = await call(this.#server, method, path, body === undefined ? {} : { body });
    if (answer.status >= 500)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }
}
