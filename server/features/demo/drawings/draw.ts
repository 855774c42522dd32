/**
 * Draws the pictures of the demonstration website: `node server/features/demo/drawings/draw.ts`. The files in `content/files/`
 * are made by it and are committed, so that an installation draws nothing. The product itself never draws SVG.
 */
import { join } from 'node:path';
import sharp from 'sharp';
import { harbour } from './harbour.ts';
import { hourRoom } from './hour-room.ts';
import { lowTide } from './low-tide.ts';

const folder = join(import.meta.dirname, '..', 'content', 'files');
const pictures = { 'harbour-at-dawn': harbour(), 'low-tide': lowTide(), 'hour-room': hourRoom() };

const mark = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#14333c"/><path d="M16 6v18M7 11h18M7 11l-3 8h6zM25 11l-3 8h6zM11 25h10" fill="none" stroke="#f0c871" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

for (const [name, svg] of Object.entries(pictures)) {
  const { width, height } = await sharp(Buffer.from(svg)).metadata();
  // A little grain, as of paper.
  const grain = {
    create: {
      width,
      height,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 7 },
    },
  } as const;
  const paper = await sharp(grain).greyscale().png().toBuffer();
  await sharp(Buffer.from(svg))
    .flatten()
    .composite([{ input: paper, blend: 'soft-light' }])
    .jpeg({ quality: 72, mozjpeg: true })
    .toFile(join(folder, `${name}.jpg`));
}
await sharp(Buffer.from(mark)).png({ palette: true }).toFile(join(folder, 'mark.png'));
