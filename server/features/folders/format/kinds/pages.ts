/** Pages: `pages/<path>/index.html` with front matter, `blocks.json` next to it, and `site.json` for the website. */
import type { FolderFields, FolderObject } from '../content.ts';
import { decodeName, encodeName, prefixed } from '../file-names.ts';
import {
  flag,
  type KeyFormats,
  list,
  object,
  order,
  pickInside,
  pickKeys,
  readKeys,
  reference,
  spreadInside,
  text,
} from '../keys.ts';
import { parseFile, type SourceFiles } from '../source-files.ts';
import { TextFault } from '../text-fault.ts';
import {
  formatFrontMatter,
  formatJson,
  htmlFence,
  parseFrontMatter,
  parseJson,
  parseJsonKeys,
} from '../text-file.ts';
import type { KindFormat, WrittenFiles } from './kind-format.ts';

const siteFile = 'site.json';
export const homeKey = 'pages/index.html';

/** Keys of front matter. */
const pageKeys: KeyFormats = {
  title: { type: 'text', default: undefined },
  meta_title: text(),
  description: text(),
  head: text(),
  html_attrs: text(),
  body_attrs: text(),
  lang: text(),
  published: flag(true),
  catch_all: flag(),
  no_cache: flag(),
  sitemap_exclude: flag(),
  noindex: flag(),
  nofollow: flag(),
  hide_in_nav: flag(),
  og_image_file_id: reference,
  sitemap_source: { type: 'object', default: null, nullable: true },
  assets: list,
  regions: object,
  translations: object,
  order,
};
/** Keys of `site.json`, which the home page does not have in its own file. */
const siteKeys: KeyFormats = {
  format: { type: 'number', default: undefined },
  title: { type: 'text', default: undefined },
  lang: text(),
  domains: { type: 'any', default: [] },
  default_site: flag(),
  notfound_page_id: reference,
  favicon_file_id: reference,
  robots_txt: text(),
  zone: text(),
};
const { title: _title, lang: _lang, order: _order, ...homeKeys } = pageKeys;

/** The path of a page from its file. */
export function toPagePath(key: string): string {
  return `/${key.split('/').slice(1, -1).map(decodeName).join('/')}`;
}

/** The file of a page from its path. Slugs are in lower case, so no two files differ only in case. */
export function toPageKey(path: string): string {
  const slugs = path.split('/').filter((slug) => slug !== '');
  return ['pages', ...slugs.map(toPageFolder), 'index.html'].join('/');
}

function toPageFolder(slug: string): string {
  const isFile = slug === 'index.html' || slug === 'blocks.json';
  return isFile ? prefixed(slug) : encodeName(slug);
}

export const pageFormat: KindFormat = {
  kind: 'page',
  read(files) {
    const keys = files.below('pages').filter((path) => path.endsWith('/index.html'));
    const home = readHome(files);
    const pages = keys.filter((key) => key !== homeKey).flatMap((key) => readPage(files, key));
    checkPlaces(files, [...home, ...pages]);
    return [...home, ...pages];
  },
  write(objects, files) {
    for (const page of objects) writePage(page, files);
  },
};

function readHome(files: SourceFiles): FolderObject[] {
  if (!files.texts.has(siteFile)) {
    files.report({
      file: siteFile,
      code: 'folder.siteMissing',
      message: 'The folder has no site.json. Make one with "incipit init" or "incipit pull".',
    });
    return [];
  }
  const site = parseFile(files, siteFile, parseJsonKeys);
  if (site === undefined) return [];
  const { format: _format, domains, ...settings } = readKeys(files, siteFile, site, siteKeys);
  const page = files.texts.has(homeKey) ? readTemplate(files, homeKey, homeKeys) : emptyTemplate(homeKeys);
  if (page === undefined) return [];
  const isList = Array.isArray(domains) && domains.every((domain) => typeof domain === 'string');
  if (!isList && typeof domains !== 'string')
    files.report({
      file: siteFile,
      ...site.placeOf('domains'),
      code: 'folder.wrongType',
      message: '"domains" must be a list of texts.',
    });
  const named = isList ? domains : String(domains).split('\n');
  const fields = { ...page.fields, ...settings, order: null, domains: named.filter((name) => name !== '') };
  return [withBlocks(files, { ...page, fields, files: [siteFile, ...page.files] })];
}

function emptyTemplate(keys: KeyFormats): FolderObject {
  const fields = Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, key.default ?? null]));
  const { regions: _regions, ...others } = fields;
  return { kind: 'page', key: homeKey, fields: { ...others, html: '' }, files: [], places: {} };
}

function readPage(files: SourceFiles, key: string): FolderObject[] {
  const page = readTemplate(files, key, pageKeys);
  return page === undefined ? [] : [withBlocks(files, page)];
}

function readTemplate(files: SourceFiles, key: string, keys: KeyFormats): FolderObject | undefined {
  const parsed = parseFile(files, key, (source) => parseFrontMatter(source, htmlFence));
  if (parsed === undefined) return undefined;
  const { regions, ...fields } = readKeys(files, key, parsed, keys);
  const places = Object.fromEntries(
    ['head', 'meta_title', 'description'].map((name) => [name, { file: key, ...parsed.placeOf(name) }]),
  );
  return {
    kind: 'page',
    key,
    fields: { ...fields, ...spreadInside(regions, 'regions'), html: parsed.body },
    files: [key],
    places: { ...places, html: { file: key, line: parsed.bodyLine, column: 1 } },
  };
}

function withBlocks(files: SourceFiles, page: FolderObject): FolderObject {
  const path = blocksFile(page.key);
  const blocks = parseFile(files, path, (source) => {
    const tree = parseJson(source);
    if (!Array.isArray(tree)) throw new TextFault('The file must hold a list of blocks: [ … ].', 1, 1);
    return tree as readonly unknown[];
  });
  const all = files.texts.has(path) ? [...page.files, path] : page.files;
  return { ...page, files: all, fields: { ...page.fields, blocks: blocks ?? [] } };
}

function blocksFile(key: string): string {
  return `${key.slice(0, -'index.html'.length)}blocks.json`;
}

/** Every page lies in another one, has a slug that an address can have, and a path of its own. */
function checkPlaces(files: SourceFiles, pages: readonly FolderObject[]): void {
  const known = new Map<string, string>();
  for (const { key } of pages) {
    const path = toPagePath(key);
    const other = known.get(path);
    if (other !== undefined)
      files.report({
        file: key,
        code: 'folder.twice',
        message: `${other} is the page ${path} too. Delete one of them.`,
      });
    known.set(path, key);
    const slug = path.slice(path.lastIndexOf('/') + 1);
    if (path !== '/' && !/^[a-z0-9._-]+$/.test(slug))
      files.report({
        file: key,
        code: 'folder.slugInvalid',
        message: `"${slug}" cannot be part of an address. Use a-z, 0-9, ".", "_" and "-".`,
      });
  }
  for (const { key } of pages) {
    const path = toPagePath(key);
    const parent = path.slice(0, path.lastIndexOf('/')) || '/';
    if (path === '/' || known.has(parent) || files.texts.has(toPageKey(parent)) || parent === '/') continue;
    files.report({
      file: key,
      code: 'folder.parentMissing',
      message: `There is no page ${parent}. Add ${toPageKey(parent)}.`,
    });
  }
  for (const path of files.below('pages'))
    if (!path.endsWith('/index.html') && !path.endsWith('/blocks.json'))
      files.report({
        file: path,
        level: 'warning',
        code: 'folder.unknownFile',
        message: 'A page consists of index.html and blocks.json. This file is ignored; move it.',
      });
}

function writePage({ key, fields }: FolderObject, files: WrittenFiles): void {
  const isHome = key === homeKey;
  const withRegions: FolderFields = { ...fields, regions: pickInside(fields, 'regions') };
  const front = pickKeys(withRegions, isHome ? homeKeys : pageKeys);
  files.set(key, formatFrontMatter(front, String(fields['html'] ?? ''), htmlFence));
  const blocks = fields['blocks'];
  if (Array.isArray(blocks) && blocks.length > 0) files.set(blocksFile(key), formatJson(blocks));
  if (isHome) files.set(siteFile, formatJson(pickKeys({ ...fields, format: 1 }, siteKeys)));
}
