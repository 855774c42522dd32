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
 * `thumbnail:"WxH"`: the address of an image cropped to W by H pixels around its focal point, at most 2560 each.
 * `thumbnail:"W"` crops nothing and gives the smallest variant of that width. The value is an image object or the
 * address of an image. Other addresses, and vector images, are returned unchanged. A missing value gives the empty
 * text.
 *
 *     <img src="{{ entry.photo|thumbnail:"320x200" }}"> -> <img src="/media/photo.jpg?thumb=320x200">
 */
function thumbnailUrl(value: unknown, size: string): string {
  const [, width = '', height] = /^([1-9]\d{0,4})(?:x([1-9]\d{0,4}))?$/.exec(size) ?? [];
  if (width === '' || Math.max(Number(width), Number(height ?? 0)) > maxSide)
    throw new FilterError(
      `thumbnail needs a size such as "320x200" with sides up to ${maxSide}, not "${size.slice(0, 40)}"`,
      emptyOperand(size, 'argument'),
    );
  const url = addressOf(value);
  if (!url.startsWith('/media/') || /\.svg(?:\?|$)/i.test(url)) return url;
  const wanted = height === undefined ? `w=${width}` : `thumb=${width}x${height}`;
  return `${url}${url.includes('?') ? '&' : '?'}${wanted}`;
}

/** Largest side of a crop in pixels. */
const maxSide = 2560;

function addressOf(value: unknown): string {
  if (isMap(value)) return textOrNothing(lookup(value, 'url'));
  return textOrNothing(value);
}

function textOrNothing(value: unknown): string {
  return typeof value === 'string' || value instanceof SafeString ? toText(value) : '';
}
