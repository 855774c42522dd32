import type { ContentCache, RegionValues } from '../content/content-cache.ts';
import type { UnsavedItem } from '../content/items/records.ts';
import type { AssetRef, PageRecord } from '../content/reader.ts';
import type { SiteHost } from '../content/site-host.ts';
import type { SourceData } from '../content/source-data.ts';
import type { SiteTree } from '../content/tree.ts';
import { defineLazy } from '../engine/context.ts';
import type { Engine } from '../engine.ts';
import { previewExpiry, type SigningKey, signatureFor } from '../files/signature.ts';
import { type Alternate, listAlternates } from './alternates.ts';
import { type AssetTags, assetTags, inlineAssetTags } from './assets.ts';
import { isOnlyForEntries } from './detail-pages.ts';
import { assembleDocument } from './document.ts';
import { createDraftStyle } from './draft-marks.ts';
import type { EntryValues } from './entries.ts';
import { type EntryVersions, versionsOfEntry } from './entry-versions.ts';
import { PageEnv } from './env.ts';
import { findPageIcon, findShareImage } from './page-images.ts';
import { pageTemplateName } from './template-name.ts';
import {
  type FindVersions,
  isTemplate,
  type PageSource,
  type PageValue,
  pageValue,
  routeValue,
  type SiteValue,
  siteValue,
  storedPageValue,
  withAnswer,
} from './variables.ts';

/** The values that all renders of a worker share. */
export interface RenderTools {
  readonly memo: ContentCache;
  readonly tree: SiteTree;
  readonly entries: EntryValues;
  readonly sources: SourceData;
  /** For html and head. */
  readonly engine: Engine;
  /** The same for previews with marks; made when it is first needed. */
  markedEngine(): Engine;
  /** For titles and descriptions: nothing is escaped, because their output is text and not HTML. */
  readonly textEngine: Engine;
  isModule(asset: AssetRef): boolean;
  /** Scheme of absolute URLs. */
  readonly scheme: string;
  /** Signs the addresses of private files in previews. */
  signingKey(): SigningKey;
  /** Whom signed addresses end with; empty: they end only by time. */
  readonly opener: string;
}

export interface RenderRequest {
  readonly page: PageRecord;
  readonly site: SiteHost;
  /** Decoded path of the request. */
  readonly path: string;
  /** Segments of the path below a catch-all page. */
  readonly rest: readonly string[];
  readonly query: string;
  readonly now: Date;
  /** False for 404 pages, because their address is not one to share. */
  readonly shareable: boolean;
  /** Whether drafts are shown, and `preview` is true in templates. */
  readonly preview: boolean;
  /** An entry in a preview that is not saved. */
  readonly unsavedItem?: UnsavedItem | undefined;
  /** Whether the preview is for editors: blocks and fields are marked. Default: no. */
  readonly isEdited?: boolean;
  /** The tree of the page in a preview that is not saved; undefined = as stored. */
  readonly unsavedBlocks?: unknown;
  /** Trees of global blocks in a preview that are not saved, by ID. */
  readonly unsavedGlobals?: ReadonlyMap<number, unknown> | undefined;
  /** Words of the page in a preview that are not saved; null stands for the default. */
  readonly unsavedRegions?: RegionValues | undefined;
  /** Called for each thing that was wrong with the blocks. */
  readonly onProblem?: (text: string) => void;
  /** Tags of a document that has CSS and JS of its own, such as a pen; behind those of its snippets. */
  readonly ownTags?: AssetTags;
  /** Set if CSS and JS are written into the document itself. */
  readonly inline: InlineAssets | undefined;
  /** Whether images show one size only, for a document that contains them. Default: no. */
  readonly oneSize?: boolean;
}

/** Values that replace stored ones in a document that contains its CSS and JS. */
export interface InlineAssets {
  /** IDs of the page's own assets in loading order; undefined = as stored. */
  readonly own: readonly number[] | undefined;
  /** Contents by ID of the asset. */
  readonly contents: ReadonlyMap<number, string>;
}

/** All data that a template reads, ready before its first tag. */
export interface PreparedRender {
  readonly env: PageEnv;
  readonly context: Readonly<Record<string, unknown>>;
  readonly page: PageValue;
  readonly site: SiteValue;
  readonly ofEntry: FindVersions;
}

/**
 * The variables of a page, with its title and description evaluated.
 *
 * @throws TemplateError, and NotFoundSignal if one of them calls `not_found()`
 */
export async function prepareRender(tools: RenderTools, request: RenderRequest): Promise<PreparedRender> {
  const { memo } = tools;
  const { page } = request;
  const lang = memo.languages.effective(page);
  const exp = previewExpiry(Math.floor(request.now.getTime() / 1000));
  const env = new PageEnv(tools, page, lang, {
    line: memo.lineOf(page),
    drafts: request.preview,
    unsaved: request.unsavedItem,
    unsavedGlobals: request.unsavedGlobals,
    unsavedRegions: request.unsavedRegions,
    oneSize: request.oneSize ?? false,
    isEdited: request.isEdited ?? false,
    sign: (path) => signatureFor(tools.signingKey(), { path, exp, opener: tools.opener }),
  });
  const site = siteValue(tools, memo.basics(page.root_id) ?? page, request.site);
  const source = sourceOf(tools, request);
  const ofEntry = () => versionsOfEntry(memo, page, request.rest, request.preview);
  const stored = storedPageValue(source, page, ofEntry);
  const context = createContext(source, request, stored, site);
  // Most pages have texts without tags; their stored value needs no second one.
  if (!isTemplate(page.meta_title) && !isTemplate(page.description))
    return { env, context, page: stored, site, ofEntry };
  const metaTitle = await renderText(tools, page, 'meta_title', context, env);
  const description = await renderText(tools, page, 'description', context, env);
  const value = pageValue(source, page, { metaTitle, description }, ofEntry);
  context['page'] = value;
  return { env, context, page: value, site, ofEntry };
}

/**
 * Renders a page as a whole document (Core, "Page"). The body is rendered before the head, because its
 * snippets decide which assets the head loads.
 *
 * @throws TemplateError, and NotFoundSignal if the page calls `not_found()`.
 */
export async function renderPage(tools: RenderTools, request: RenderRequest): Promise<string> {
  const { page } = request;
  const { env, context, page: value, site, ofEntry } = await prepareRender(tools, request);

  env.recordSnippets();
  const marks = request.isEdited === true ? env.blocks.startMarks(value.blocks) : undefined;
  const engine = marks === undefined ? tools.engine : tools.markedEngine();
  const finished = (html: string) => marks?.finish(html) ?? { html, isPlain: false };
  const body = finished(await engine.renderSource(page.html, page.path, context, env));
  const headName = pageTemplateName(page.path, 'head');
  const extra = finished(await engine.renderSource(page.head, headName, context, env));
  for (const problem of env.blocks.problems) request.onProblem?.(problem);

  return assembleDocument({
    body: body.html,
    isPlain: body.isPlain,
    htmlAttrs: page.html_attrs,
    bodyAttrs: page.body_attrs,
    lang: env.lang,
    head: {
      title: value.meta_title,
      description: value.description,
      noindex: page.noindex,
      nofollow: page.nofollow,
      icon: findPageIcon(env),
      image: request.shareable ? findShareImage(env, site.url) : undefined,
      url: request.shareable ? site.url + encodePath(request.path) : '',
      siteTitle: site.title,
      alternates: request.shareable ? versionsOf(tools, request, ofEntry()) : [],
      assets: withOwnTags(
        tagsOf(tools, request, env.snippets),
        request.ownTags,
        request.preview ? createDraftStyle(env, site.url) : '',
      ),
      extra: extra.html.trim(),
    },
  });
}

function sourceOf(tools: RenderTools, { page, unsavedBlocks }: RenderRequest): PageSource {
  const { memo, scheme } = tools;
  const source = { memo, scheme, isOnlyForEntries: (id: number) => isOnlyForEntries(tools, id) };
  if (unsavedBlocks === undefined) return source;
  return { ...source, unsavedBlocks: { pageId: page.id, tree: unsavedBlocks } };
}

function createContext(
  source: PageSource,
  request: RenderRequest,
  page: PageValue,
  site: SiteValue,
): Record<string, unknown> {
  const context: Record<string, unknown> = Object.create(null);
  context['page'] = page;
  context['site'] = site;
  context['route'] = routeValue(request.path, request.rest, request.query, () =>
    source.memo.reads.noteQuery(),
  );
  context['today'] = localDate(request.now);
  defineLazy(context, 'now', () => {
    source.memo.reads.markUncacheable();
    return request.now;
  });
  context['preview'] = request.preview;
  return context;
}

async function renderText(
  { textEngine }: RenderTools,
  page: PageRecord,
  field: 'meta_title' | 'description',
  context: Record<string, unknown>,
  env: PageEnv,
): Promise<string> {
  const source = page[field];
  if (!isTemplate(source)) return source;
  const text = await textEngine.renderSource(source, pageTemplateName(page.path, field), context, env);
  return text.trim();
}

/** Of a detail page only the versions of its entry have the same content. */
function versionsOf(
  tools: RenderTools,
  { page, site }: RenderRequest,
  entry: EntryVersions | undefined,
): readonly Alternate[] {
  const { memo, scheme } = tools;
  const { translation_group: group } = page;
  const root = (id: number) => memo.basics(id);
  const ofPage = () => {
    const source = { isOnlyForEntries: (id: number) => isOnlyForEntries(tools, id) };
    return group === '' ? [] : withAnswer(source, page, memo.languages.versions(group));
  };
  return listAlternates(entry?.versions ?? ofPage(), { site, scheme, root });
}

function tagsOf(
  { memo, isModule }: RenderTools,
  { page, inline }: RenderRequest,
  snippets: Iterable<string>,
): AssetTags {
  const assets = assetsOf(memo, page, snippets, inline?.own);
  if (inline === undefined) return assetTags(assets, isModule);
  return inlineAssetTags(assets, ({ id }) => inline.contents.get(id) ?? memo.asset(id)?.content ?? '');
}

/** @param lastCss behind all other styles */
function withOwnTags(tags: AssetTags, own: AssetTags | undefined, lastCss: string): AssetTags {
  if (own === undefined && lastCss === '') return tags;
  return { css: tags.css + (own?.css ?? '') + lastCss, js: tags.js + (own?.js ?? '') };
}

/**
 * Loading order (Core, "Page asset assignment" and "Snippet"): the page's files, then those of its snippets.
 *
 * @param own IDs in place of the page's stored assignments; IDs of missing assets are skipped
 */
function* assetsOf(
  memo: ContentCache,
  page: PageRecord,
  snippets: Iterable<string>,
  own: readonly number[] | undefined,
): Generator<AssetRef> {
  yield* memo.assetsOfPage(memo.lineOf(page), own);
  for (const name of snippets) yield* memo.assetsOfSnippet(name);
}

/** `YYYY-MM-DD` in the server's time zone, the form in which dates are stored and compared. */
export function localDate(date: Date): string {
  const part = (value: number, width: number) => String(value).padStart(width, '0');
  return `${part(date.getFullYear(), 4)}-${part(date.getMonth() + 1, 2)}-${part(date.getDate(), 2)}`;
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
