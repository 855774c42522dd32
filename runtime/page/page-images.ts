/** The icon of a website and the image of links to a page (Core, "Page"). */
import type { FileRecord } from '../content/reader.ts';
import { mediaUrl } from '../files/addresses.ts';
import type { PageEnv } from './env.ts';

export interface PageIcon {
  readonly url: string;
  readonly mime: string;
  /** `32x32`, `any` for vector images; empty if it is not known. */
  readonly size: string;
  /** Whether it is large enough for the home screens of phones. */
  readonly isLarge: boolean;
}

export interface ShareImage {
  /** Absolute. */
  readonly url: string;
  readonly mime: string;
  /** In pixels; empty if it is not known. */
  readonly width: string;
  readonly height: string;
  readonly alt: string;
}

/** Smallest side of an icon for home screens, in pixels. */
const largeIcon = 120;

/** The icon of the website; undefined if it has none. A private one shows in previews only. */
export function findPageIcon(env: PageEnv): PageIcon | undefined {
  const root = env.memo.basics(env.page.root_id);
  const file = visibleImage(env, root?.favicon_file_id ?? 0);
  if (file === undefined) return undefined;
  const { mime, width, height } = file;
  const isLarge =
    (mime === 'image/png' || mime === 'image/jpeg') && Math.min(width ?? 0, height ?? 0) >= largeIcon;
  const size =
    mime === 'image/svg+xml' ? 'any' : width === null || height === null ? '' : `${width}x${height}`;
  return { url: mediaUrl(file, env.signatureOf(file)), mime, size, isLarge };
}

/** The image of the page, else that of the nearest page above that has one. */
export function findShareImage(env: PageEnv, siteUrl: string): ShareImage | undefined {
  const file = visibleImage(env, nearestImage(env));
  if (file === undefined) return undefined;
  const { mime, width, height, alt } = file;
  return {
    url: siteUrl + mediaUrl(file, env.signatureOf(file)),
    mime,
    width: textOf(width),
    height: textOf(height),
    alt,
  };
}

function nearestImage({ memo, page, line }: PageEnv): number {
  if (page.og_image_file_id !== 0) return page.og_image_file_id;
  for (const id of line.slice(0, -1).reverse()) {
    const found = memo.basics(id)?.og_image_file_id ?? 0;
    if (found !== 0) return found;
  }
  return 0;
}

function visibleImage(env: PageEnv, id: number): FileRecord | undefined {
  const file = id === 0 ? undefined : env.memo.file(id);
  if (file === undefined || file.kind !== 'image') return undefined;
  return file.private && !env.drafts ? undefined : file;
}

function textOf(number: number | null): string {
  return number === null ? '' : String(number);
}
