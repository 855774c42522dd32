/** How long the variants of a photo take, compared with bare sharp. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { variantWidths } from '../../runtime/files/addresses.ts';
import type { ImageTask, ImageTaskResults } from '../../runtime/images/messages.ts';
import { createLog } from '../../server/base/log.ts';
import { sources } from '../../server/config/build/program-files.ts';
import { Pool } from '../../server/processes/pool.ts';
import { type Spread, spreadOf } from '../measure.ts';

export interface VariantResult {
  readonly name: string;
  readonly imagesPerSecond: Spread;
  /** Images per second divided by those of the reference in the same round. */
  readonly ratio: Spread;
}

const bareSharp = fileURLToPath(new URL('bare-sharp.ts', import.meta.url));

/** Six widths in JPEG and WebP, and the original width in WebP, of a photo. @param folder for the variants */
export async function measureVariants(
  folder: string,
  file: string,
  rounds: number,
): Promise<VariantResult[]> {
  const log = await createLog('error');
  const contestants = [
    { name: 'bare sharp, decoding once', filename: bareSharp },
    { name: 'incipit', filename: sources().images },
  ].map(({ name, filename }) => ({
    name,
    pool: new Pool<ImageTask, ImageTaskResults>({
      filename,
      settings: {},
      workers: 1,
      timeoutMs: 120_000,
      maxMemoryMb: 2048,
      log,
    }),
    rates: [] as number[],
  }));
  try {
    // The first round warms up and shows that both write the same sizes.
    for (const { pool } of contestants) await makeAll(pool, file, folder);
    for (let round = 0; round < rounds; round++) {
      const shift = round % contestants.length;
      for (const { pool, rates } of [...contestants.slice(shift), ...contestants.slice(0, shift)]) {
        const begin = performance.now();
        await makeAll(pool, file, folder);
        rates.push(1000 / (performance.now() - begin));
      }
    }
  } finally {
    await Promise.all(contestants.map(({ pool }) => pool.close()));
  }
  const reference = contestants[0]?.rates ?? [];
  return contestants.map(({ name, rates }) => ({
    name,
    imagesPerSecond: spreadOf(rates),
    ratio: spreadOf(rates.map((rate, round) => rate / (reference[round] ?? Number.NaN))),
  }));
}

async function makeAll(pool: Pool<ImageTask, ImageTaskResults>, file: string, folder: string): Promise<void> {
  const outputs = [
    ...variantWidths.map((width) => ({ width, format: 'jpeg' as const })),
    ...[...variantWidths, 4000].map((width) => ({ width, format: 'webp' as const })),
  ].map((output) => ({ ...output, path: join(folder, `${output.width}.${output.format}`) }));
  await pool.run({ kind: 'make-variants', file, animated: false, outputs });
  for (const { path, width } of outputs) {
    const { width: found } = await sharp(path).metadata();
    if (found !== width) throw new Error(`${path} has a width of ${found} instead of ${width}`);
  }
}

/** Soft shapes with grain, so that it compresses about as a photo does. */
export async function drawPhoto(file: string, width: number, height: number): Promise<void> {
  const noise = { type: 'gaussian', mean: 128, sigma: 50 } as const;
  const grain = {
    create: { width: width / 4, height: height / 4, channels: 3, background: '#888', noise },
  } as const;
  const shapes = await sharp(grain).blur(12).resize(width, height).toBuffer({ resolveWithObject: true });
  await sharp(shapes.data, { raw: { width, height, channels: 3 } })
    .composite([
      {
        input: { create: { width, height, channels: 3, background: '#000', noise: { ...noise, sigma: 12 } } },
        blend: 'soft-light',
      },
    ])
    .jpeg({ quality: 88 })
    .toFile(file);
}
