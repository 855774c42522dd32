import { TemplateFault } from '../engine/faults.ts';
import type { TemplateFunction } from '../engine.ts';
import type { FileValue } from '../files/file-value.ts';
import { type PictureOptions, pictureHtml } from '../files/picture.ts';
import { printAs } from '../values/printed.ts';
import { toText } from '../values/text.ts';
import { findFileValue } from './file.ts';
import { pageEnv } from './page-env.ts';

/**
 * `image(id)`: an uploaded image with the fields of `file()`. Printed it is an element in all sizes and formats. An
 * ID without an image gives nothing.
 *
 *     {{ image(5, alt="The harbour", sizes="50vw") }}
 *     <picture><source type="image/webp" srcset="..."><img src="/media/harbour.jpg" ...></picture>
 */
export const image: TemplateFunction = {
  call(host, [id], named) {
    const options = optionsIn(named);
    const env = pageEnv(host, 'image');
    const file = findFileValue(env, id);
    if (file === undefined || file.kind !== 'image') return undefined;
    // The file is shared, and each call prints it in its own way.
    const shown = env.blocks.marks?.image(file) ?? file;
    const found: FileValue = Object.assign(Object.create(null), shown);
    if (env.oneSize) return printAs(found, () => pictureHtml(inOneSize(shown), [], options));
    return printAs(found, () => inAllFormats(shown, options));
  },
};

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

const texts = ['class', 'alt', 'sizes', 'loading'] as const;

/** @throws TemplateFault for an argument that image() does not take */
function optionsIn(named: Readonly<Record<string, unknown>>): PictureOptions {
  const known: readonly string[] = [...texts, 'width'];
  const options: { -readonly [Name in keyof PictureOptions]: PictureOptions[Name] } = {};
  for (const [name, value] of Object.entries(named)) {
    if (!known.includes(name))
      throw new TemplateFault(`image() has no argument "${name}", only ${known.join(', ')}`);
    if (value === null || value === undefined) continue;
    const text = texts.find((candidate) => candidate === name);
    if (text === undefined) options.width = widthIn(value);
    else options[text] = toText(value);
  }
  return options;
}

/** @throws TemplateFault unless the value is a whole number of pixels */
function widthIn(value: unknown): number {
  const width = Number(toText(value));
  if (Number.isSafeInteger(width) && width > 0 && width <= 100_000) return width;
  throw new TemplateFault(
    `the width of an image must be a number of pixels, not "${toText(value).slice(0, 40)}"`,
  );
}
