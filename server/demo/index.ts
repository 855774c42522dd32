import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { createAsset } from '../assets/service.ts';
import type { Passwords } from '../auth/password.ts';
import { createUser, isSetupRequired } from '../auth/users.ts';
import type { Change, Changes } from '../change.ts';
import type { ContentDb } from '../db/tables.ts';
import type { Log } from '../log.ts';
import { PageUpdate } from '../pages/model.ts';
import { createPage, createSite, listPages, updatePage } from '../pages/service.ts';
import { PageLayoutInput } from '../snippets/model.ts';
import { createSnippet, listSnippets } from '../snippets/service.ts';
import type { AdminGate } from '../system/admin-gate.ts';

export interface DemoDeps {
  readonly reader: ContentDb;
  readonly changes: Changes;
  readonly passwords: Passwords;
  readonly gate: AdminGate;
  readonly log: Log;
}

/** Name of the administrator that comes with the demo website. */
export const demoUsername = 'demo';

/**
 * Installs the demo website (`-demo`) into an empty data directory, and an administrator if people can sign in and
 * there is none. Answers with that administrator's password, whose only plain copy this is.
 */
export async function installDemo(deps: DemoDeps): Promise<string | undefined> {
  if (!(await installWebsite(deps))) return undefined;
  deps.log.info({}, 'the demo website is installed');
  if (!deps.gate.isOpen || !(await isSetupRequired(deps.reader))) return undefined;
  const password = randomBytes(12).toString('base64url');
  await createUser(deps, { kind: 'none' }, { username: demoUsername, password });
  return password;
}

/**
 * Installs through the services that API clients use, as one change: the website is there completely or not at
 * all. Content that exists is left alone; then the answer is false and nothing happens.
 */
async function installWebsite({ reader, changes }: DemoDeps): Promise<boolean> {
  const isEmpty = (await listPages(reader, true)).length === 0 && (await listSnippets(reader)).length === 0;
  if (!isEmpty) return false;
  const content = readContent();
  await changes.change({ kind: 'none' }, async (change) => {
    const assetIds = await installAssets(change, content);
    await installSnippets(change, content, assetIds);
    await installPages(change, content, assetIds);
  });
  return true;
}

const PageAssets = Type.Array(Type.Object({ key: Type.String(), inherit: Type.Optional(Type.Boolean()) }));
/** Fields as in the API; `html` and `head` name files, `assets` name assets by their key. */
const pageFields = {
  ...Type.Omit(PageUpdate, ['assets', 'slug', 'base_updated_at', 'domains', 'title']).properties,
  title: Type.String(),
  assets: Type.Optional(PageAssets),
};

/** What `content/site.json` holds; `content/README.md` describes it. */
const DemoContent = Type.Object({
  site: Type.Object({ ...pageFields, domains: Type.Optional(Type.Array(Type.String())) }),
  assets: Type.Array(
    Type.Object({
      key: Type.String(),
      name: Type.String(),
      kind: Type.Union([Type.Literal('css'), Type.Literal('js')]),
      folder: Type.Optional(Type.String()),
      file: Type.String(),
    }),
  ),
  snippets: Type.Array(
    Type.Object({
      name: Type.String(),
      description: Type.Optional(Type.String()),
      file: Type.String(),
      assets: Type.Optional(Type.Array(Type.String())),
      page_layout: Type.Optional(PageLayoutInput),
    }),
  ),
  pages: Type.Array(Type.Object({ ...pageFields, path: Type.String() })),
});
type DemoContent = Static<typeof DemoContent>;
type DemoPage = DemoContent['pages'][number] | DemoContent['site'];
type AssetIds = ReadonlyMap<string, number>;

function readContent(): DemoContent {
  return Value.Parse(DemoContent, JSON.parse(readText('site.json')));
}

function readText(file: string): string {
  return readFileSync(fileURLToPath(new URL(`./content/${file}`, import.meta.url)), 'utf8');
}

async function installAssets(change: Change, content: DemoContent): Promise<AssetIds> {
  const ids = new Map<string, number>();
  for (const { key, file, ...asset } of content.assets) {
    const { id } = await createAsset(change, { ...asset, content: readText(file) });
    ids.set(key, id);
  }
  return ids;
}

async function installSnippets(change: Change, content: DemoContent, assetIds: AssetIds): Promise<void> {
  for (const { file, assets = [], ...snippet } of content.snippets) {
    const ids = assets.map((key) => ({ asset_id: idOf(assetIds, key) }));
    await createSnippet(change, { ...snippet, content: readText(file), assets: ids });
  }
}

async function installPages(change: Change, content: DemoContent, assetIds: AssetIds): Promise<void> {
  const { domains = [], ...home } = content.site;
  const site = await createSite(change, { title: home.title, domains: domains.join('\n') });
  await updatePage(change, site.id, toBody(home, assetIds));
  const idsByPath = new Map([['', site.id]]);
  for (const { path, ...page } of content.pages) {
    const slash = path.lastIndexOf('/');
    const body = { ...toBody(page, assetIds), title: page.title, slug: path.slice(slash + 1) };
    const { id } = await createPage(change, { ...body, parent_id: idOf(idsByPath, path.slice(0, slash)) });
    idsByPath.set(path, id);
  }
}

function toBody(
  { html, head, assets = [], ...fields }: Omit<DemoPage, 'path' | 'domains'>,
  assetIds: AssetIds,
) {
  return {
    ...fields,
    ...(html === undefined ? {} : { html: readText(html) }),
    ...(head === undefined ? {} : { head: readText(head) }),
    assets: assets.map(({ key, ...asset }) => ({ asset_id: idOf(assetIds, key), ...asset })),
  };
}

function idOf(ids: ReadonlyMap<string, number>, key: string): number {
  const id = ids.get(key);
  if (id === undefined)
    throw new Error(`site.json refers to ${JSON.stringify(key)}, which is not defined before`);
  return id;
}
