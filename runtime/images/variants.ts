import type { Sharp } from 'sharp';
import { openImage } from './library.ts';
import type { ImageCrop, ImageOutput, MakeVariantsTask, RasterFormat } from './messages.ts';

/**
 * Writes variants of an image: upright, in sRGB, without metadata.
 *
 * The source is decoded once, to pixels in memory, and every output is made from them. The pixels of an animation
 * would be too many, so each of its outputs is decoded frame by frame.
 *
 * @throws if the image cannot be decoded or a file cannot be written
 */
export async function makeVariants({
  file,
  animated,
  outputs,
}: MakeVariantsTask): Promise<readonly number[]> {
  const source = animated ? framesOf(file) : await pixelsOf(file, outputs);
  const sizes: number[] = [];
  for (let index = 0; index < outputs.length; index += parallel) {
    const some = outputs.slice(index, index + parallel);
    sizes.push(...(await Promise.all(some.map((output) => write(source, output)))));
  }
  return sizes;
}

/** Outputs that are made at the same time; each is encoded by one thread. */
const parallel = 2;

/** Opens the upright source at least as wide as an output needs it. */
type Source = (output: ImageOutput) => Sharp;

function framesOf(file: string): Source {
  return () => openImage(file, { animated: true });
}

/** A width at which the pixels are kept too: smaller outputs are made from fewer pixels. */
const smallWidth = 2560;

async function pixelsOf(file: string, outputs: readonly ImageOutput[]): Promise<Source> {
  const needed = Math.max(...outputs.map(({ width, crop }) => (crop === undefined ? width : Infinity)));
  const upright = openImage(file).autoOrient();
  const full = await rawOf(Number.isFinite(needed) ? upright.resize({ width: needed }) : upright);
  const isLarge = full.info.width > smallWidth * 1.2 && outputs.some(({ width }) => width <= smallWidth);
  const small = isLarge ? await rawOf(reopen(full).resize({ width: smallWidth })) : full;
  return ({ width, crop }) => reopen(crop === undefined && width <= smallWidth ? small : full);
}

interface Pixels {
  readonly data: Buffer;
  readonly info: { readonly width: number; readonly height: number; readonly channels: 1 | 2 | 3 | 4 };
}

function rawOf(image: Sharp): Promise<Pixels> {
  return image.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
}

function reopen({ data, info: { width, height, channels } }: Pixels): Sharp {
  return openImage(data, { raw: { width, height, channels } });
}

async function write(source: Source, output: ImageOutput): Promise<number> {
  const image = source(output);
  const sized =
    output.crop === undefined
      ? image.resize({ width: output.width, withoutEnlargement: true })
      : await cropped(image, output.width, output.crop);
  const { size } = await encoded[output.format](sized).toFile(output.path);
  return size;
}

/** The largest part with the wanted proportions around the point, as far as the edges allow, scaled down. */
async function cropped(image: Sharp, width: number, { height, focusX, focusY }: ImageCrop): Promise<Sharp> {
  const metadata = await image.metadata();
  const own = { width: metadata.width, height: metadata.pageHeight ?? metadata.height };
  const scale = Math.min(own.width / width, own.height / height);
  const part = {
    width: Math.max(1, Math.min(own.width, Math.round(width * scale))),
    height: Math.max(1, Math.min(own.height, Math.round(height * scale))),
  };
  const left = Math.round(Math.min(Math.max(own.width * focusX - part.width / 2, 0), own.width - part.width));
  const top = Math.round(
    Math.min(Math.max(own.height * focusY - part.height / 2, 0), own.height - part.height),
  );
  return image.extract({ left, top, ...part }).resize({ width, height, fit: 'fill' });
}

const encoded: Readonly<Record<RasterFormat, (image: Sharp) => Sharp>> = {
  jpeg: (image) => image.jpeg({ quality: 80 }),
  png: (image) => image.png(),
  webp: (image) => image.webp({ quality: 80 }),
  gif: (image) => image.gif(),
  avif: (image) => image.avif({ quality: 55, effort: 3 }),
};
