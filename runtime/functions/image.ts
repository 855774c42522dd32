import { TemplateFault } from '../engine/faults.ts';
import type { TemplateFunction } from '../engine.ts';
import type { PictureOptions } from '../files/picture.ts';
import { showImage } from '../page/shown-image.ts';
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
    return showImage(env, findFileValue(env, id), options);
  },
};

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
