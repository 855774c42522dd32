import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { Actor } from '../actor.ts';
import { assetKind } from '../assets/service.ts';
import type { AdminGate } from '../auth/admin-gate.ts';
import { generatePassword, type Passwords } from '../auth/password.ts';
import { createUser, isSetupRequired } from '../auth/users.ts';
import type { Change } from '../change.ts';
import { apiError } from '../errors.ts';
import type { Feature, Parts } from '../feature.ts';
import { defineRoute } from '../http/route.ts';
import { createObject, hasObjects, updateObject } from '../kinds/objects.ts';
import { PageUpdate } from '../pages/model.ts';
import { createSite, pageKind } from '../pages/service.ts';
import { linkTranslation } from '../pages/translations/service.ts';
import { PageLayoutInput } from '../snippets/model.ts';
import { snippetKind } from '../snippets/service.ts';

type DemoParts = Pick<Parts, 'reader' | 'changes' | 'texts' | 'log'>;

/** Name of the administrator that comes with the demo website. */
export const demoUsername = 'demo';

/** What `-demo` did. */
export interface DemoResult {
  /** False if the data directory had content already; then nothing has changed. */
  readonly installed: boolean;
  /** Password of the administrator that was created; undefined if none was. It is stored only as a hash. */
  readonly password: string | undefined;
}

/**
 * Installs the demo website (`-demo`) into an empty data directory. Also creates an administrator if users
 * can sign in and there is none.
 */
export async function installDemo(
  parts: DemoParts,
  { gate, passwords }: { readonly gate: AdminGate; readonly passwords: Passwords },
): Promise<DemoResult> {
  const { reader, changes, log } = parts;
  if ((await installWebsite(parts, { kind: 'none' })) === undefined)
    return { installed: false, password: undefined };
  log.info({}, 'the demo website is installed');
  if (!gate.isOpen || !(await isSetupRequired(reader))) return { installed: true, password: undefined };
  const password = generatePassword();
  await createUser({ changes, passwords }, { kind: 'none' }, { username: demoUsername, password });
  return { installed: true, password };
}

/** Installation of the demo website through the API, for people who start without content. */
export function demoFeature(parts: DemoParts): Feature {
  return {
    about: { demo: 'The demo website.' },
    routes: [
      defineRoute({
        method: 'POST',
        path: '/demo',
        access: 'admin',
        summary: 'Install the demo website into an instance without content',
        response: InstalledDemo,
        status: 201,
        errors: ['demo.notEmpty', 'common.busy'],
        handle: async ({ actor }) => {
          const rootId = await installWebsite(parts, actor);
          if (rootId === undefined) throw apiError('demo.notEmpty', {});
          return { root_id: rootId };
        },
      }),
    ],
  };
}

const InstalledDemo = Type.Object(
  { root_id: Type.Integer({ description: 'Home page of the demo website.' }) },
  { title: 'InstalledDemo', description: 'The demo website that was installed.' },
);

/**
 * Installs the website by the same rules as API clients and as one change, so that the website exists
 * completely or not at all. Returns the ID of the home page; if there is content already, it changes nothing
 * and returns undefined.
 */
async function installWebsite({ changes, texts }: DemoParts, actor: Actor): Promise<number | undefined> {
  const pages = pageKind(texts);
  const content = readContent();
  return changes.change(actor, async (change) => {
    for (const kind of [pages, snippetKind, assetKind]) {
      if (await hasObjects(kind, change.tx)) return undefined;
    }
    const assetIds = await installAssets(change, content);
    await installSnippets(change, content, assetIds);
    return installPages(change, pages, content, assetIds);
  });
}

const PageAssets = Type.Array(Type.Object({ key: Type.String(), inherit: Type.Optional(Type.Boolean()) }));
/** Fields as in the API; `html` and `head` name files, `assets` name assets by their key. */
const pageFields = {
  ...Type.Omit(PageUpdate, ['assets', 'slug', 'base_updated_at', 'domains', 'title']).properties,
  title: Type.String(),
  assets: Type.Optional(PageAssets),
};

/** The content of `content/site.json`; `content/README.md` describes it. */
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
  pages: Type.Array(
    Type.Object({ ...pageFields, path: Type.String(), translates: Type.Optional(Type.String()) }),
  ),
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
    const { id } = await createObject(change, assetKind, { ...asset, content: readText(file) });
    ids.set(key, id);
  }
  return ids;
}

async function installSnippets(change: Change, content: DemoContent, assetIds: AssetIds): Promise<void> {
  for (const { file, assets = [], ...snippet } of content.snippets) {
    const ids = assets.map((key) => ({ asset_id: idOf(assetIds, key) }));
    await createObject(change, snippetKind, { ...snippet, content: readText(file), assets: ids });
  }
}

async function installPages(
  change: Change,
  pages: ReturnType<typeof pageKind>,
  content: DemoContent,
  assetIds: AssetIds,
): Promise<number> {
  const { domains = [], ...home } = content.site;
  const site = await createSite(change, { title: home.title, domains: domains.join('\n') });
  await updateObject(change, pages, site.id, toBody(home, assetIds));
  const idsByPath = new Map([['/', site.id]]);
  for (const { path, translates, ...page } of content.pages) {
    const slash = path.lastIndexOf('/');
    const body = { ...toBody(page, assetIds), title: page.title, slug: path.slice(slash + 1) };
    const { id } = await createObject(change, pages, {
      ...body,
      parent_id: idOf(idsByPath, path.slice(0, slash) || '/'),
    });
    idsByPath.set(path, id);
    if (translates !== undefined) await linkTranslation(change, idOf(idsByPath, translates), { page_id: id });
  }
  return site.id;
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
