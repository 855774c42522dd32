import sharp from 'sharp';
import { type ApiAnswer, asRecord, call } from './api.ts';
import type { TestServer } from './server.ts';

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly format?: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif';
}

/** Draws an image: its left half is red, its right half is blue. */
export function draw({ width, height, format = 'jpeg' }: Picture): Promise<Buffer> {
  const half = { create: { width: Math.ceil(width / 2), height, channels: 3, background: '#f00' } } as const;
  return sharp({ create: { width, height, channels: 3, background: '#00f' } })
    .composite([{ input: half, left: 0, top: 0 }])
    .toFormat(format)
    .toBuffer();
}

/** Draws an animation of frames in different colours. */
export async function animate(
  format: 'gif' | 'webp',
  { width, height, frames }: { width: number; height: number; frames: number },
): Promise<Buffer> {
  const pictures = Array.from({ length: frames }, (_, index) =>
    sharp({ create: { width, height, channels: 3, background: { r: (index * 40) % 256, g: 90, b: 200 } } })
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(pictures), { join: { animated: true } })
    [format]({ delay: Array.from({ length: frames }, () => 100) })
    .toBuffer();
}

export interface UploadFile {
  readonly name: string;
  readonly bytes: Uint8Array | string;
  /** Field of the form; default `file`. */
  readonly field?: string;
}

/** Sends a form with files. Default: `POST /files`. */
export async function upload(
  server: Pick<TestServer, 'url'>,
  files: readonly UploadFile[],
  fields: Readonly<Record<string, string>> = {},
  { method = 'POST', path = '/files', token }: { method?: string; path?: string; token?: string } = {},
): Promise<ApiAnswer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const { name, bytes, field = 'file' } of files)
    form.append(field, new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), name);
  const request = new Request('http://form.test', { method: 'POST', body: form });
  return call(server, method, path, {
    ...(token === undefined ? {} : { token }),
    raw: new Uint8Array(await request.arrayBuffer()),
    headers: { 'Content-Type': request.headers.get('content-type') ?? '' },
  });
}

/** Uploads one file and resolves with its record. */
export async function uploadOne(
  server: Pick<TestServer, 'url'>,
  name: string,
  bytes: Uint8Array | string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
  const answer = await upload(server, [{ name, bytes }], fields);
  if (answer.status !== 201) throw new Error(`upload: ${answer.status} ${JSON.stringify(answer.body)}`);
  return asRecord(answer.body);
}
