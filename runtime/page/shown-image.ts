import type { FileValue } from '../files/file-value.ts';
import { type PictureOptions, pictureHtml } from '../files/picture.ts';
import { printAs } from '../values/printed.ts';
import type { PageBlocks } from './blocks/page-blocks.ts';

/** How the page shows images. */
export interface ImageView {
  readonly blocks: Pick<PageBlocks, 'marks'>;
  /** Whether images show one size only. */
  readonly oneSize: boolean;
}

/** An image with the fields of `file()`, which prints as an element in all sizes and formats; undefined for other files. */
export function showImage(
  env: ImageView,
  file: FileValue | undefined,
  options: PictureOptions,
): FileValue | undefined {
  if (file === undefined || file.kind !== 'image') return undefined;
  // The file is shared, and each call prints it in its own way.
  const shown = env.blocks.marks?.image(file) ?? file;
  const found: FileValue = Object.assign(Object.create(null), shown);
  if (env.oneSize) return printAs(found, () => pictureHtml(inOneSize(shown), [], options));
  return printAs(found, () => inAllFormats(shown, options));
}

/** What a file was last printed as, and with which options: most images of a website look alike on all its pages. */
const lastPrinted = new WeakMap<FileValue, { readonly options: string; readonly html: string }>();

function inAllFormats(file: FileValue, options: PictureOptions): string {
  const key = JSON.stringify(options);
  const known = lastPrinted.get(file);
  if (known?.options === key) return known.html;
  const formats = [
    ['image/avif', file.avif_srcset],
    ['image/webp', file.webp_srcset],
  ] as const;
  const html = pictureHtml(file, formats, options);
  lastPrinted.set(file, { options: key, html });
  return html;
}

/** The variant that fits most screens, without others to choose from. */
function inOneSize(file: FileValue): FileValue {
  const isLarge = file.srcset.includes(`?w=${singleWidth}`);
  const url = isLarge ? `${file.url}${file.url.includes('?') ? '&' : '?'}w=${singleWidth}` : file.url;
  return { ...file, url, srcset: '' };
}

const singleWidth = 1280;
