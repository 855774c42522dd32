import { escapeHtml } from '../values/escape.ts';
import type { Alternate } from './alternates.ts';
import type { AssetTags } from './assets.ts';
import type { PageIcon, ShareImage } from './page-images.ts';

/** The content of a page's head; texts are plain, `extra` is HTML. */
export interface HeadFacts {
  readonly title: string;
  readonly description: string;
  readonly noindex: boolean;
  readonly nofollow: boolean;
  readonly icon: PageIcon | undefined;
  readonly image: ShareImage | undefined;
  /** Absolute address of the requested page; empty for 404 pages, which have no address to share. */
  readonly url: string;
  readonly siteTitle: string;
  /** Language versions including the page itself; empty for a page without other versions. */
  readonly alternates: readonly Alternate[];
  readonly assets: AssetTags;
  /** The page's rendered `head`. */
  readonly extra: string;
}

/** Encoding and viewport, for a page without an `<html>` element of its own. */
export function documentBasics(present: ReadonlySet<string>): string {
  let html = '';
  if (!present.has('charset')) html += '<meta charset="utf-8">\n';
  if (!present.has('viewport')) {
    html += '<meta name="viewport" content="width=device-width, initial-scale=1">\n';
  }
  return html;
}

/**
 * Head tags: title, description, robots, icons, Open Graph and twitter, language versions, CSS, the page's `head`.
 * Tags that the page has already (`present`) are left out (Core, "Page", `og_image_file_id`), but for robots.
 */
export function headTags(facts: HeadFacts, present: ReadonlySet<string>): string {
  let html = '';
  if (!present.has('title')) html += `<title>${escapeHtml(facts.title)}</title>\n`;
  const meta = (attribute: 'name' | 'property', key: string, content: string) => {
    if (content !== '' && !present.has(key)) {
      html += `<meta ${attribute}="${key}" content="${escapeHtml(content)}">\n`;
    }
  };
  meta('name', 'description', facts.description);
  html += robotsTag(facts);
  if (!present.has('icon')) html += iconTags(facts.icon, present);
  meta('property', 'og:type', 'website');
  meta('property', 'og:site_name', facts.siteTitle);
  meta('property', 'og:title', facts.title);
  meta('property', 'og:description', facts.description);
  meta('property', 'og:url', facts.url);
  if (!present.has('og:image')) {
    for (const [key, content] of imageTags(facts.image)) meta('property', key, content);
  }
  meta('name', 'twitter:card', facts.image === undefined ? 'summary' : 'summary_large_image');
  if (!present.has('hreflang')) html += facts.alternates.map(alternateTag).join('');
  html += facts.assets.css;
  if (facts.extra !== '') html += `${facts.extra}\n`;
  return html;
}

/** A large icon also serves the home screens of phones (Core, "Page", `favicon_file_id`). */
function iconTags(icon: PageIcon | undefined, present: ReadonlySet<string>): string {
  if (icon === undefined) return '';
  const { url, mime, size, isLarge } = icon;
  const sizes = size === '' ? '' : ` sizes="${size}"`;
  const link = `<link rel="icon" href="${escapeHtml(url)}" type="${escapeHtml(mime)}"${sizes}>\n`;
  return isLarge && !present.has('apple-touch-icon')
    ? `${link}<link rel="apple-touch-icon" href="${escapeHtml(url)}">\n`
    : link;
}

function imageTags(image: ShareImage | undefined): readonly (readonly [string, string])[] {
  if (image === undefined) return [];
  return [
    ['og:image', image.url],
    ['og:image:type', image.mime],
    ['og:image:width', image.width],
    ['og:image:height', image.height],
    ['og:image:alt', image.alt],
  ];
}

function alternateTag({ lang, url }: Alternate): string {
  return `<link rel="alternate" hreflang="${escapeHtml(lang)}" href="${escapeHtml(url)}">\n`;
}

/** Also beside a robots tag of the page itself: of several tags search engines follow the strictest rule. */
function robotsTag({ noindex, nofollow }: HeadFacts): string {
  const rules = [noindex ? 'noindex' : '', nofollow ? 'nofollow' : ''].filter((rule) => rule !== '');
  return rules.length === 0 ? '' : `<meta name="robots" content="${rules.join(', ')}">\n`;
}
