import type { FileRecord } from '../content/reader.ts';
import { formatSrcsetOf, mediaUrl, type Signature, srcsetOf } from './addresses.ts';

/** The fields of a file that depend on its address. */
export interface FileAddresses {
  readonly url: string;
  readonly srcset: string;
  readonly webp_srcset: string;
  readonly avif_srcset: string;
}

/** Where a file and its variants are found. */
export function addressesOf(
  file: Pick<FileRecord, 'path' | 'width' | 'height' | 'format' | 'avif' | 'variants' | 'private'>,
  signature: Signature = '',
): FileAddresses {
  return {
    url: mediaUrl(file, signature),
    srcset: srcsetOf(file, signature),
    webp_srcset: formatSrcsetOf(file, 'webp', signature),
    avif_srcset: formatSrcsetOf(file, 'avif', signature),
  };
}
