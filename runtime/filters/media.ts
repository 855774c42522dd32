import { emptyOperand } from '../values/operand.ts';
import { SafeString } from '../values/safe.ts';
import { toText } from '../values/text.ts';
import { type FilterDefinition, FilterError, valueFilter } from './filter.ts';
import { isMap, lookup } from './shared/values.ts';

/** Filters for uploaded media. */
export const mediaFilters: readonly FilterDefinition[] = [
  valueFilter('thumbnail', [1, 1], (value, _env, size) => thumbnailUrl(value, toText(size))),
];

/**
 * `thumbnail:"WxH"`: the address of the smallest variant of an image that covers W by H pixels. The value is
 * an image object or the address of an image. Other addresses, and vector images, are returned unchanged. A
 * missing value gives the empty text.
 *
 *     <img src="{{ entry.photo|thumbnail:"320x200" }}"> -> <img src="/media/photo.jpg?w=320">
 */
function thumbnailUrl(value: unknown, size: string): string {
  const match = /^(\d{1,5})(?:x(\d{1,5}))?$/.exec(size);
  if (match === null)
    throw new FilterError(
      `thumbnail needs a size such as "320x200", not "${size.slice(0, 40)}"`,
      emptyOperand(size, 'argument'),
    );
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

/** The width at which the image also covers the height; for a narrow image it is larger than `width`. */
function coveringWidth(value: unknown, width: number, height: number): number {
  const [ownWidth, ownHeight] = [lookup(value, 'width'), lookup(value, 'height')];
  if (typeof ownWidth !== 'number' || typeof ownHeight !== 'number' || ownHeight <= 0) return width;
  return Math.max(width, Math.ceil((height * ownWidth) / ownHeight));
}
