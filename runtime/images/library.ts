import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { maxPixels } from './messages.ts';

// Loaders that take time or memory out of proportion to their input, or read other files (SVG is never drawn).
sharp.block({
  operation: [
    'VipsForeignLoadSvg',
    'VipsForeignLoadPdf',
    'VipsForeignLoadMagick',
    'VipsForeignLoadOpenslide',
  ],
});
// One task at a time, of other files each time: nothing would be found in the cache again.
sharp.cache(false);
sharp.concurrency(1);

/** Opens an image. A damaged or cut off one fails when it is decoded. */
export function openImage(input: string | Buffer, options: SharpOptions = {}): Sharp {
  return sharp(input, { failOn: 'truncated', limitInputPixels: maxPixels, ...options });
}
