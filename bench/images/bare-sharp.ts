/**
 * Bare sharp, as a worker of the same pool: decodes the source once and makes every output from its pixels, with the
 * same options, the same number of threads and the same priority.
 */
import { setPriority } from 'node:os';
import sharp, { type Sharp } from 'sharp';
import type { ImageOutput, MakeVariantsTask } from '../../runtime/images/messages.ts';
import { serveTasks } from '../../runtime/tasks/serve.ts';

setPriority(10);
sharp.concurrency(1);
sharp.cache(false);

serveTasks<MakeVariantsTask>(async ({ file, outputs }) => {
  const { data, info } = await sharp(file).autoOrient().raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const sizes: number[] = [];
  for (let index = 0; index < outputs.length; index += 2) {
    const pair = outputs.slice(index, index + 2);
    const written = await Promise.all(
      pair.map((output) => write(sharp(data, { raw: { width, height, channels } }), output)),
    );
    sizes.push(...written.map(({ size }) => size));
  }
  return sizes;
});

function write(image: Sharp, { width, format, path }: ImageOutput) {
  const resized = image.resize({ width });
  return (format === 'webp' ? resized.webp({ quality: 80 }) : resized.jpeg({ quality: 80 })).toFile(path);
}
