/** Reads the demonstration website from `server/features/demo/content` and checks it against the format in its README. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { fieldTypeNames } from '../../../runtime/fields/definition.ts';

const strict = { additionalProperties: false };

const PageFields = {
  title: Type.String({ minLength: 1 }),
  html: Type.String(),
  head: Type.String(),
  meta_title: Type.String(),
  description: Type.String({ minLength: 1 }),
  lang: Type.Optional(Type.String()),
  body_attrs: Type.Optional(Type.String()),
  published: Type.Literal(true),
  hide_in_nav: Type.Optional(Type.Boolean()),
  sitemap_exclude: Type.Optional(Type.Boolean()),
  noindex: Type.Optional(Type.Boolean()),
  catch_all: Type.Optional(Type.Boolean()),
  blocks: Type.Optional(Type.String()),
  assets: Type.Optional(Type.Array(Type.Object({ key: Type.String(), inherit: Type.Boolean() }, strict))),
};

const Picture = Type.Object({ file: Type.String(), alt: Type.String() }, strict);

const Asset = Type.Object(
  {
    key: Type.String(),
    name: Type.String(),
    kind: Type.Union([Type.Literal('css'), Type.Literal('js')]),
    folder: Type.String(),
    file: Type.String(),
  },
  strict,
);

const Snippet = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._/-]*$' }),
    description: Type.String({ minLength: 1 }),
    file: Type.String(),
    assets: Type.Optional(Type.Array(Type.String())),
    page_layout: Type.Optional(
      Type.Object({ label: Type.String(), description: Type.String(), default: Type.Boolean() }, strict),
    ),
    schema: Type.Optional(Type.String()),
  },
  strict,
);

const GlobalBlock = Type.Object(
  {
    key: Type.String(),
    name: Type.String({ minLength: 1 }),
    folder: Type.String(),
    description: Type.String({ minLength: 1 }),
    blocks: Type.String(),
  },
  strict,
);

const Page = Type.Object(
  {
    path: Type.String({ pattern: '^(/[a-z0-9][a-z0-9._-]*)+$' }),
    translates: Type.Optional(Type.String()),
    ...PageFields,
  },
  strict,
);
const Site = Type.Object(
  {
    ...PageFields,
    domains: Type.Array(Type.String()),
    default_site: Type.Boolean(),
    og_image_file_id: Type.Integer(),
    favicon_file_id: Type.Integer(),
  },
  strict,
);

const Field = Type.Object(
  {
    name: Type.String(),
    type: Type.Enum(fieldTypeNames),
    required: Type.Optional(Type.Boolean()),
    options: Type.Optional(Type.Array(Type.String())),
  },
  strict,
);
const Collection = Type.Object(
  {
    slug: Type.String(),
    name: Type.String(),
    lang: Type.Optional(Type.String()),
    public_api: Type.Boolean(),
    live: Type.Optional(Type.Boolean()),
    detail_page: Type.Optional(Type.String()),
    fields: Type.Array(Field),
    entries: Type.Optional(Type.String()),
    translates: Type.Optional(Type.String()),
  },
  strict,
);
const Source = Type.Object(
  {
    slug: Type.String(),
    name: Type.String(),
    path: Type.String(),
    list_path: Type.Optional(Type.String()),
    cache_ttl: Type.Integer(),
  },
  strict,
);
const Workflow = Type.Object(
  { name: Type.String(), description: Type.String({ minLength: 1 }), flow: Type.String() },
  strict,
);
const Entry = Type.Object({
  slug: Type.String({ pattern: '^[a-z0-9-]+$' }),
  title: Type.String({ minLength: 1 }),
  art: Type.String(),
});

const SiteFile = Type.Object(
  {
    site: Site,
    files: Type.Array(Picture),
    assets: Type.Array(Asset),
    snippets: Type.Array(Snippet),
    global_blocks: Type.Array(GlobalBlock),
    pages: Type.Array(Page),
    collections: Type.Array(Collection),
    sources: Type.Array(Source),
    workflows: Type.Array(Workflow),
  },
  strict,
);

/** Folder of the website's files. */
export const contentRoot = join(import.meta.dirname, '../../../server/features/demo/content');

/** Text of a file named in `site.json`. */
export function readContent(file: string): string {
  return readFileSync(join(contentRoot, file), 'utf8');
}

function readJson(file: string): unknown {
  return JSON.parse(readContent(file));
}

const file: Static<typeof SiteFile> = Value.Parse(SiteFile, readJson('site.json'));

export const { assets, files, snippets, workflows, sources, global_blocks: globalBlocks } = file;

/** All pages, the home page first. */
export const pages: readonly Static<typeof Page>[] = [
  { path: '/', ...withoutSiteFields(file.site) },
  ...file.pages,
];

export const { collections } = file;

/** An entry of a collection with its address. */
export interface SiteEntry extends Static<typeof Entry> {
  readonly path: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The entries of a collection in their order. */
export function entriesOf(slug: string): readonly SiteEntry[] {
  const collection = collections.find((found) => found.slug === slug);
  if (collection === undefined) throw new Error(`no collection is called ${slug}`);
  if (collection.entries === undefined) return [];
  const list = Value.Parse(
    Type.Array(Type.Record(Type.String(), Type.Unknown())),
    readJson(collection.entries),
  );
  return list.map((data) => {
    const entry = Value.Parse(Entry, data);
    return { ...entry, data, path: `${collection.detail_page}/${entry.slug}` };
  });
}

/** All entries that have an address. */
export const entries: readonly SiteEntry[] = collections.flatMap(({ slug }) => entriesOf(slug));

/** Slugs of the objects of the collection, in order. */
export const works: readonly string[] = entriesOf('objects').map(({ slug }) => slug);

/** Path of the page above; undefined for the home page. */
export function parentPath(path: string): string | undefined {
  return path === '/' ? undefined : path.slice(0, path.lastIndexOf('/')) || '/';
}

/** The icon and the image of links are those of files, which the tests of templates do not install. */
function withoutSiteFields(site: Static<typeof Site>) {
  const { domains: _domains, default_site: _default, ...page } = site;
  const { og_image_file_id: _image, favicon_file_id: _icon, ...fields } = page;
  return fields;
}
