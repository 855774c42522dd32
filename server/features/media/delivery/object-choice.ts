import { hasFormat, hasWebpAddress } from '../../../../runtime/files/addresses.ts';
import type { MediaAddress } from '../../../../runtime/files/media-address.ts';
import type { CacheKey } from '../../../http/responses/cache-entry.ts';
import type { MediaKey } from '../../../storage/media-key.ts';
import type { StoredFile } from '../model.ts';
import { nearestWidth, originalKey, type Variant, variantKey } from '../objects.ts';

/** Which object an address means. */
export interface Choice {
  readonly key: MediaKey;
  readonly mime: string;
}

/** The object that an address means; undefined if there is no such form of the file. */
export function chooseObject(
  file: StoredFile,
  { format, width, bySuffix }: MediaAddress,
): Choice | undefined {
  if (bySuffix && !hasWebpAddress(file)) return undefined;
  const other = format !== undefined && hasFormat(file, format) ? format : undefined;
  const own = file.width ?? 0;
  const nearest = width === undefined ? own : nearestWidth(file, width);
  if (other !== undefined) return variant(file, { format: other, width: nearest });
  if (bySuffix) return undefined;
  if (file.format === '' || nearest >= own) return { key: originalKey(file), mime: file.mime };
  return variant(file, { format: file.format, width: nearest });
}

function variant(file: StoredFile, chosen: Variant): Choice {
  return { key: variantKey(file, chosen), mime: `image/${chosen.format}` };
}

/** The content is in the key, so two contents never share a tag. */
export function toEntityTag(key: MediaKey): string {
  return `"${key.slice(3, 27)}-${key.slice(36)}"`;
}

/** An object never changes; with `updated_at` a changed row has responses of its own. */
export function toCacheKey({ updated_at }: StoredFile, { key }: Choice): CacheKey {
  return { partition: '', address: `${key} ${updated_at}` };
}
