import { type Filter, FilterError, valueFilter } from '../filter.ts';
import { SafeString } from '../safe.ts';
import { toText } from '../text.ts';
import { isMap, lookup } from './shared/values.ts';

/** Filters for uploaded media (open points 2). */
export const mediaFilters: readonly Filter[] = [
  valueFilter('thumbnail', [1, 1], (value, _env, size) => thumbnailUrl(value, toText(size))),
];

/**
 * `thumbnail:"WxH"`: the address of the smallest variant of an image that covers W by H pixels. The value is an image
 * object or the address of an image; other addresses and vector images stay as they are, nothing gives nothing.
 *
 *     <img src="{{ entry.photo|thumbnail:"320x200" }}"> -> <img src="/media/photo.jpg?w=320">
 */
function thumbnailUrl(value: unknown, size: string): string {
  const match = /^(\d{1,5})(?:x(\d{1,5}))?$/.exec(size);
  if (match === null)
    throw new FilterError(`thumbnail needs a size such as "320x200", not "${size.slice(0, 40)}"`);
  const url = addressOf(value);
  if (!url.startsWith('/media/') || /\.svg(?:\?|$)/i.test(url)) return url;
  const width = coveringWidth(value, Number(match[1]), Number(match[2] ?? 0));
  return `${url}${url.includes('?') ? '&' : '?'}w=${width}`;
}

function addressOf(value: unknown): string {
  if (isMap(value)) return textOrNothing(lookup(value, 'url'));
  return textOrNothing(value);
}

function textOrNothing(value: unknown): string {
  return typeof value === 'string' || value instanceof SafeString ? toText(value) : '';
}

/** An image narrower than its place is high needs more pixels across than the place is wide. */
function coveringWidth(value: unknown, width: number, height: number): number {
  const [ownWidth, ownHeight] = [lookup(value, 'width'), lookup(value, 'height')];
  if (typeof ownWidth !== 'number' || typeof ownHeight !== 'number' || ownHeight <= 0) return width;
  return Math.max(width, Math.ceil((height * ownWidth) / ownHeight));
}
