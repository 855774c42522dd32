import type { Metadata } from 'sharp';
import { openImage } from './library.ts';
import { type ImageReport, maxPixels } from './messages.ts';

/**
 * Reads the size of an image from its header, then decodes it once at a small size: so a damaged image is found,
 * and its placeholder is made in the same pass.
 */
export async function inspectImage(file: string): Promise<ImageReport> {
  const metadata = await headerOf(file);
  if (metadata === undefined) return refused('it is damaged or no image of this format');
  const { width, height } = metadata.autoOrient;
  const frames = metadata.pages ?? 1;
  const megapixels = (width * height) / 1e6;
  if (width * height > maxPixels)
    return refused(`it has ${Math.ceil(megapixels)} megapixels, at most ${maxPixels / 1e6} are allowed`);
  try {
    return {
      usable: true,
      width,
      height,
      animated: frames > 1,
      scalable: width * height * frames <= maxPixels,
      placeholder: await placeholderOf(file),
    };
  } catch {
    return refused('it is damaged or cut off');
  }
}

/** The header alone; nothing is decoded, so the size does not matter yet. */
async function headerOf(file: string): Promise<Metadata | undefined> {
  try {
    return await openImage(file, { limitInputPixels: false }).metadata();
  } catch {
    return undefined;
  }
}

const placeholderLimit = 500;

/** @throws if the image cannot be decoded to its end */
async function placeholderOf(file: string): Promise<string> {
  for (const size of [16, 8]) {
    const bytes = await openImage(file)
      .autoOrient()
      .resize(size, size, { fit: 'inside' })
      .blur(0.6)
      .webp({ quality: 30, alphaQuality: 30 })
      .toBuffer();
    const url = `data:image/webp;base64,${bytes.toString('base64')}`;
    if (url.length < placeholderLimit) return url;
  }
  return '';
}

function refused(reason: string): ImageReport {
  return { usable: false, reason };
}
