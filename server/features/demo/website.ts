/** The content of the demo website, as the files in `content/` have it, and its installation. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { Actor } from '../../base/actor.ts';
import type { Change } from '../../changes/changes.ts';
import { createObject, updateObject } from '../../content/kinds/objects.ts';
import type { SharedServices } from '../../feature.ts';
import { assetKind } from '../assets/service.ts';
import { globalBlockKind } from '../global-blocks/service.ts';
import { pageKind } from '../pages/kind.ts';
import { PageUpdate } from '../pages/model.ts';
import { createSite } from '../pages/service.ts';
import { linkTranslation } from '../pages/translations/service.ts';
import { PageLayoutInput } from '../snippets/model.ts';
import { snippetKind } from '../snippets/service.ts';
import { DemoCollection, installCollections } from './collections.ts';
import { type InstallDeps, installIntoEmpty, type WebsiteTools } from './empty-instance.ts';
import { DemoSource, installSources } from './sources.ts';
import { withIds } from './trees.ts';
import { DemoWorkflow, installWorkflows } from './workflows.ts';

export type DemoParts = InstallDeps & Pick<SharedServices, 'log' | 'outgoing'>;

/** Returns the ID of the home page; if there is content already, it changes nothing and returns undefined. */
export async function installWebsite(
  parts: DemoParts,
  tools: WebsiteTools,
  origin: string,
  actor: Actor,
): Promise<number | undefined> {
  const { media, collections: kinds, workflows } = tools;
  const content = readContent();
  const sources = content.files.map(({ file }) => ({ path: pathOf(`files/${file}`), name: file }));
  return installIntoEmpty(parts, tools, { actor, files: sources }, async (change, files) => {
    const ids: Ids = { files: [], assets: new Map(), globals: new Map() };
    for (const [index, file] of files.entries()) {
      const alt = content.files[index]?.alt ?? '';
      ids.files.push((await createObject(change, media.kind, { ...file, alt })).id);
    }
    await installAssets(change, content, ids);
    await installSnippets(change, content, ids);
    await installGlobalBlocks(change, content, ids);
    const idsByPath = await installPages(change, pageKind(parts.texts), content, ids);
    await installCollections(change, kinds, content.collections, {
      page: (path) => idOf(idsByPath, path),
      file: (position) => fileId(ids, position),
      entries: readText,
    });
    await installSources(change, parts.outgoing, content.sources, origin);
    await installWorkflows(change, workflows, content.workflows, readText);
    return idOf(idsByPath, '/');
  });
}

const PageAssets = Type.Array(Type.Object({ key: Type.String(), inherit: Type.Optional(Type.Boolean()) }));
/** Fields as in the API; `html`, `head` and `blocks` name files, `assets` name assets by their key. */
const pageFields = {
  ...Type.Omit(PageUpdate, ['assets', 'blocks', 'slug', 'base_updated_at', 'domains', 'title']).properties,
  title: Type.String(),
  assets: Type.Optional(PageAssets),
  blocks: Type.Optional(Type.String()),
};

/** The content of `content/site.json`; `content/README.md` describes it. */
const DemoContent = Type.Object({
  site: Type.Object({ ...pageFields, domains: Type.Optional(Type.Array(Type.String())) }),
  files: Type.Array(Type.Object({ file: Type.String(), alt: Type.String() })),
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
      schema: Type.Optional(Type.String()),
    }),
  ),
  global_blocks: Type.Array(
    Type.Object({
      key: Type.String(),
      name: Type.String(),
      folder: Type.String(),
      description: Type.String(),
      blocks: Type.String(),
    }),
  ),
  pages: Type.Array(
    Type.Object({ ...pageFields, path: Type.String(), translates: Type.Optional(Type.String()) }),
  ),
  collections: Type.Array(DemoCollection),
  sources: Type.Array(DemoSource),
  workflows: Type.Array(DemoWorkflow),
});
type DemoContent = Static<typeof DemoContent>;
type DemoPage = DemoContent['pages'][number] | DemoContent['site'];

/** IDs of what is installed already: files in the order of `site.json`, all else by its key. */
interface Ids {
  readonly files: number[];
  readonly assets: Map<string, number>;
  readonly globals: Map<string, number>;
}

export function readContent(): DemoContent {
  return Value.Parse(DemoContent, JSON.parse(readText('site.json')));
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(`./content/${file}`, import.meta.url));
}

function readText(file: string): string {
  return readFileSync(pathOf(file), 'utf8');
}

/** A template in which `image(n)` and `file(n)` name the n-th file of `site.json`, with the ID that it got. */
function readTemplate(file: string, ids: Ids): string {
  return readText(file).replaceAll(
    /\b(image|file)\((\d+)/g,
    (_call, name: string, position: string) => `${name}(${fileId(ids, Number(position))}`,
  );
}

/** @param position in the list of files, from 1; 0 = none */
function fileId({ files }: Ids, position: number): number {
  const id = position === 0 ? 0 : files[position - 1];
  if (id === undefined) throw new Error(`site.json has no file number ${position}`);
  return id;
}

async function installAssets(change: Change, content: DemoContent, { assets }: Ids): Promise<void> {
  for (const { key, file, ...asset } of content.assets) {
    const { id } = await createObject(change, assetKind, { ...asset, content: readText(file) });
    assets.set(key, id);
  }
}

async function installSnippets(change: Change, content: DemoContent, ids: Ids): Promise<void> {
  for (const { file, assets = [], schema: schemaFile, ...snippet } of content.snippets) {
    const assigned = assets.map((key) => ({ asset_id: idOf(ids.assets, key) }));
    const template = readTemplate(file, ids);
    const schema = schemaFile === undefined ? null : JSON.parse(readText(schemaFile));
    await createObject(change, snippetKind, { ...snippet, schema, content: template, assets: assigned });
  }
}

async function installGlobalBlocks(change: Change, content: DemoContent, ids: Ids): Promise<void> {
  for (const { key, blocks, ...fields } of content.global_blocks) {
    const { id } = await createObject(change, globalBlockKind, { ...fields, blocks: readTree(blocks, ids) });
    ids.globals.set(key, id);
  }
}

function readTree(file: string, ids: Ids): unknown {
  return withIds(JSON.parse(readText(file)), {
    file: (position) => fileId(ids, position),
    global: (key) => idOf(ids.globals, key),
  });
}

async function installPages(
  change: Change,
  pages: ReturnType<typeof pageKind>,
  content: DemoContent,
  ids: Ids,
): Promise<ReadonlyMap<string, number>> {
  const { domains = [], ...home } = content.site;
  const site = await createSite(change, { title: home.title, domains: domains.join('\n') });
  await updateObject(change, pages, site.id, toBody(home, ids), { isNew: true });
  const idsByPath = new Map([['/', site.id]]);
  for (const { path, translates, ...page } of content.pages) {
    const slash = path.lastIndexOf('/');
    const body = { ...toBody(page, ids), title: page.title, slug: path.slice(slash + 1) };
    const { id } = await createObject(change, pages, {
      ...body,
      parent_id: idOf(idsByPath, path.slice(0, slash) || '/'),
    });
    idsByPath.set(path, id);
    if (translates !== undefined) await linkTranslation(change, idOf(idsByPath, translates), { page_id: id });
  }
  return idsByPath;
}

function toBody(
  {
    html,
    head,
    blocks,
    assets = [],
    og_image_file_id: image = 0,
    favicon_file_id: icon = 0,
    ...fields
  }: Omit<DemoPage, 'path' | 'domains'>,
  ids: Ids,
) {
  return {
    ...fields,
    og_image_file_id: fileId(ids, image),
    favicon_file_id: fileId(ids, icon),
    ...(html === undefined ? {} : { html: readTemplate(html, ids) }),
    ...(head === undefined ? {} : { head: readTemplate(head, ids) }),
    ...(blocks === undefined ? {} : { blocks: readTree(blocks, ids) }),
    assets: assets.map(({ key, ...asset }) => ({ asset_id: idOf(ids.assets, key), ...asset })),
  };
}

function idOf(ids: ReadonlyMap<string, number>, key: string): number {
  const id = ids.get(key);
  if (id === undefined)
    throw new Error(`site.json refers to ${JSON.stringify(key)}, which is not defined before`);
  return id;
}
