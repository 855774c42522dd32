import { deflateSync } from 'node:zlib';
import sharp, { type Metadata } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOk, outcomeOf } from '../support/api.ts';
import { animate, draw, upload, uploadOne } from '../support/media.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { visit } from './public-client.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ args: ['-avif'] });
});
afterAll(() => server.stop());

async function variant(target: string): Promise<{ bytes: Buffer; metadata: Metadata }> {
  const answer = await visit(server, target);
  expect([target, answer.status]).toEqual([target, 200]);
  return { bytes: answer.bytes, metadata: await sharp(answer.bytes, { animated: true }).metadata() };
}

describe('variants', () => {
  it('are upright, and width and height are those that people see', async () => {
    const upright = await draw({ width: 800, height: 400 });
    // Orientation 6: the image must be turned by a quarter.
    const turned = await sharp(upright).rotate(-90).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await uploadOne(server, 'turned.jpg', turned)).toMatchObject({ width: 800, height: 400 });
    const { metadata, bytes } = await variant('/media/turned.jpg?w=640');
    expect([metadata.width, metadata.height, metadata.orientation]).toEqual([640, 320, undefined]);
    const [red = 0, , blue = 0] = await sharp(bytes)
      .extract({ left: 9, top: 9, width: 1, height: 1 })
      .raw()
      .toBuffer();
    expect(red).toBeGreaterThan(blue);
  });

  it('have no metadata and are in sRGB', async () => {
    const image = await sharp(await draw({ width: 700, height: 300 }))
      .withExif({ IFD0: { Copyright: 'Ada', ImageDescription: 'secret place' } })
      .withIccProfile('p3')
      .jpeg()
      .toBuffer();
    await uploadOne(server, 'profile.jpg', image);
    for (const query of ['?w=320', '.webp', '?format=avif']) {
      const { metadata, bytes } = await variant(`/media/profile.jpg${query}`);
      expect([metadata.exif, metadata.icc, metadata.xmp, metadata.space]).toEqual([
        undefined,
        undefined,
        undefined,
        'srgb',
      ]);
      expect(bytes.includes('secret place')).toBe(false);
    }
  });

  it('exist in AVIF with the option', async () => {
    const file = await uploadOne(
      server,
      'modern.png',
      await draw({ width: 400, height: 200, format: 'png' }),
    );
    expect(file['avif_srcset']).toBe(
      '/media/modern.png?w=320&format=avif 320w, /media/modern.png?format=avif 400w',
    );
    const { metadata } = await variant('/media/modern.png?w=320&format=avif');
    expect([metadata.format, metadata.compression, metadata.width]).toEqual(['heif', 'av1', 320]);
  });

  it('of an image that is small already are its own width only', async () => {
    const file = await uploadOne(server, 'small.png', await draw({ width: 200, height: 100, format: 'png' }));
    expect(file).toMatchObject({
      srcset: '/media/small.png 200w',
      webp_srcset: '/media/small.png.webp 200w',
    });
  });

  it.each(['gif', 'webp'] as const)('of an animated %s are animated', async (format) => {
    const name = `moving.${format}`;
    const file = await uploadOne(server, name, await animate(format, { width: 400, height: 200, frames: 4 }));
    expect(file).toMatchObject({ kind: 'image', width: 400, height: 200 });
    const { metadata } = await variant(`/media/${name}?w=320`);
    expect([metadata.format, metadata.pages, metadata.width, metadata.pageHeight]).toEqual([
      format,
      4,
      320,
      160,
    ]);
    const webp = (await variant(`/media/${name}?format=webp`)).metadata;
    expect([webp.format, webp.pages]).toEqual(['webp', 4]);
    const crop = (await variant(`/media/${name}?thumb=100x100`)).metadata;
    expect([crop.pages, crop.width, crop.pageHeight]).toEqual([4, 100, 100]);
  });

  it('are written once however many ask at the same time', async () => {
    await uploadOne(server, 'asked.jpg', await draw({ width: 2000, height: 1000 }));
    const asked = Array.from({ length: 40 }, (_, index) =>
      visit(
        server,
        `/media/asked.jpg?w=${index % 2 === 0 ? 320 : 1280}${index % 3 === 0 ? '&format=webp' : ''}`,
      ),
    );
    const tags = (await Promise.all(asked)).map((answer) => [answer.status, answer.header('etag')].join(' '));
    expect(new Set(tags).size).toBe(4);
    expect(new Set(tags.map((tag) => tag.slice(0, 4)))).toEqual(new Set(['200 ']));
  });
});

describe('crops', () => {
  it('keep the focal point', async () => {
    const { id } = await uploadOne(
      server,
      'focus.png',
      await draw({ width: 600, height: 200, format: 'png' }),
    );
    const colour = async () => {
      const { bytes, metadata } = await variant('/media/focus.png?thumb=50x50');
      expect([metadata.width, metadata.height]).toEqual([50, 50]);
      const { dominant } = await sharp(bytes).stats();
      return dominant.r > dominant.b ? 'red' : 'blue';
    };
    await callOk(server, 'PUT', `/files/${id}`, { focus_x: 0 });
    expect(await colour()).toBe('red');
    await callOk(server, 'PUT', `/files/${id}`, { focus_x: 1 });
    expect(await colour()).toBe('blue');
  });

  it('have at most 50 sizes for one file; further ones get the nearest', async () => {
    await uploadOne(server, 'crops.png', await draw({ width: 40, height: 40, format: 'png' }));
    const widthOf = async (size: number) =>
      (await variant(`/media/crops.png?thumb=${size}x${size}`)).metadata.width;
    for (let size = 1; size <= 50; size++) expect(await widthOf(size)).toBe(size);
    expect(await widthOf(60)).toBe(50);
    expect(await widthOf(7)).toBe(7);
  });
});

describe('images that are refused', () => {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  /** A PNG of zeros: a few bytes for each megapixel. */
  const zeros = (side: number) => {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(side, 0);
    header.writeUInt32BE(side, 4);
    header.set([1, 0, 0, 0, 0], 8);
    const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const pixels = deflateSync(Buffer.alloc(Math.min(side, 16_000) * (Math.ceil(side / 8) + 1)));
    return Buffer.concat([
      signature,
      chunk('IHDR', header),
      chunk('IDAT', pixels),
      chunk('IEND', Buffer.alloc(0)),
    ]);
  };

  it.each([
    ['16,000 by 16,000 pixels', () => zeros(16_000), /256 megapixels, at most 100/],
    ['30,000 by 30,000 pixels', () => zeros(30_000), /900 megapixels, at most 100/],
    [
      'a JPEG that is cut off',
      async () => (await draw({ width: 900, height: 900 })).subarray(0, 3000),
      /damaged or cut off/,
    ],
    [
      'a PNG that is cut off',
      async () => (await draw({ width: 900, height: 900, format: 'png' })).subarray(0, 900),
      /damaged/,
    ],
    ['a PNG with a header only', () => zeros(100).subarray(0, 40), /damaged/],
    ['a GIF with a header only', () => Buffer.from('GIF89a\x05\0\x05\0\0\0\0', 'latin1'), /damaged/],
    ['a WebP with a header only', () => Buffer.from('RIFF\x20\0\0\0WEBPVP8 ', 'latin1'), /damaged/],
    [
      'noise after a JPEG signature',
      () => Buffer.concat([Buffer.from([255, 216, 255, 224]), Buffer.alloc(5000, 7)]),
      /damaged/,
    ],
  ])('%s', async (name, make, reason) => {
    const answer = await upload(server, [{ name: `${name}.bin`, bytes: await make() }]);
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'file.imageInvalid' });
    expect(answer.body).toMatchObject({ params: { reason: expect.stringMatching(reason) } });
    expect(JSON.stringify(answer.body)).not.toMatch(/staging|vips|tmp/i);
  });

  it('an SVG is never drawn', async () => {
    const bomb = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><g id="a0"><path d="M0 0"/></g>${Array.from(
      { length: 12 },
      (_, level) => `<g id="a${level + 1}">${`<use xlink:href="#a${level}"/>`.repeat(10)}</g>`,
    ).join('')}</svg>`;
    const { url } = await uploadOne(server, 'bomb.svg', bomb);
    for (const query of ['', '?format=webp', '?w=320', '?thumb=10x10'])
      expect((await visit(server, `${url}${query}`)).text).toBe(bomb);
    expect((await visit(server, `${url}.webp`)).status).toBe(404);
  });

  it('a long animation is kept as it is', async () => {
    const frames = longGif(1000, 101);
    expect(await uploadOne(server, 'long.gif', frames)).toMatchObject({
      width: 1000,
      srcset: '/media/long.gif 1000w',
      webp_srcset: '',
    });
    expect((await visit(server, '/media/long.gif?w=320')).bytes.equals(frames)).toBe(true);
  });
});

/** A GIF of some KB with frames that each change one pixel of a large square. */
function longGif(side: number, frames: number): Buffer {
  const size = [side & 255, side >> 8];
  const header = [...Buffer.from('GIF89a'), ...size, ...size, 0x80, 0, 0, 0, 0, 0, 255, 255, 255];
  const frame = [0x21, 0xf9, 4, 0, 10, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
  return Buffer.from([...header, ...Array.from({ length: frames }, () => frame).flat(), 0x3b]);
}

function crc(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}
