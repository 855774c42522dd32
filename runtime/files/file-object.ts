import type { FileRecord } from '../content/reader.ts';
import { formatSrcset, formatSrcsetAs, mediaUrl, type Signature } from './addresses.ts';

/** The fields of a file that depend on its address. */
export interface FileAddresses {
  readonly url: string;
  readonly srcset: string;
  readonly webp_srcset: string;
  readonly avif_srcset: string;
}

/** Where a file and its variants are found. */
export function computeFileAddresses(
  file: Pick<FileRecord, 'path' | 'width' | 'height' | 'format' | 'avif' | 'variants' | 'private'>,
  signature: Signature = '',
): FileAddresses {
  return {
    url: mediaUrl(file, signature),
    srcset: formatSrcset(file, signature),
    webp_srcset: formatSrcsetAs(file, 'webp', signature),
    avif_srcset: formatSrcsetAs(file, 'avif', signature),
  };
}
