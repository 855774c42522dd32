import { resolveSite } from '../../../runtime/content/site-host.ts';
import { RenderWorker, type TaskContext } from '../../../runtime/tasks/context.ts';
import { deliverAssetTask } from '../../../runtime/tasks/deliver-asset.ts';
import { renderPageTask } from '../../../runtime/tasks/render-page.ts';
import { robotsTask } from '../../../runtime/tasks/robots.ts';
import { emptySitemapText, sitemapCopyTask, sitemapTask } from '../../../runtime/tasks/sitemap.ts';
import type { SiteFixture } from './site-fixture.ts';

export interface Address {
  readonly host: string;
  /** Raw path and query. */
  readonly target: string;
}

/** Status, location and text of the answer that a worker gives which starts from nothing. */
export async function expectedAnswer(site: SiteFixture, address: Address): Promise<string> {
  const worker = new RenderWorker({
    databaseFile: site.databaseFile,
    cacheDir: `${site.dir}/anew`,
    scheme: 'http',
    signingKeyFile: '',
  });
  try {
    const kind = kinds.find(({ pattern }) => pattern.test(address.target)) ?? page;
    return await kind.answer(worker.contextFor(), address, site.nowMs);
  } finally {
    worker.close();
  }
}

interface AnswerKind {
  readonly pattern: RegExp;
  answer(context: TaskContext, address: Address, now: number): Promise<string>;
}

const scheme = 'http';
const assetPath = /^\/_assets\/(css|js)\/(\d+)\./;

const page: AnswerKind = {
  pattern: /^/,
  async answer(context, { host, target }, now) {
    const [path = '', query = ''] = target.split('?');
    const task = { kind: 'page', host, scheme, path, query, now } as const;
    const { outcome } = await renderPageTask(context, task);
    switch (outcome.kind) {
      case 'page':
        return `200 ${textOf(outcome.body.identity)}`;
      case 'missing':
        return `404 ${textOf(outcome.body.identity)}`;
      case 'redirect':
        return `301 ${outcome.location}`;
      case 'moved':
        return `${outcome.status} ${outcome.location}`;
      case 'failed':
        return '500 ';
    }
  },
};

const kinds: readonly AnswerKind[] = [
  {
    pattern: /^\/robots\.txt$/,
    async answer(context, { host }) {
      const { body } = await robotsTask(context, { kind: 'robots', host, scheme });
      return `200 ${textOf(body.identity)}`;
    },
  },
  {
    pattern: /^\/sitemap\.xml$/,
    async answer(context, { host }) {
      const site = resolveSite(context.memo.siteTable(), host);
      if (site === undefined) return `200 ${emptySitemapText()}`;
      const { file } = await sitemapTask(context, { kind: 'sitemap', site, scheme, part: 0 });
      if (file === undefined) throw new Error('a website without a sitemap');
      const copy = await sitemapCopyTask({
        kind: 'sitemap-copy',
        file: file.gzip,
        host: site.fromRequest ? site.host : undefined,
        compress: false,
      });
      return `200 ${textOf(copy.text)}`;
    },
  },
  {
    pattern: assetPath,
    async answer(context, { target }) {
      const [, language, id] = assetPath.exec(target) ?? [];
      const assetKind = language === 'css' ? 'css' : 'js';
      const { asset } = await deliverAssetTask(context, { kind: 'asset', assetKind, id: Number(id) });
      return asset === undefined ? '404 Not found\n' : `200 ${textOf(asset.body.identity)}`;
    },
  },
];

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
