import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { type Spread, spreadOf } from '../measure.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { runSelfCheck } from '../self-check.ts';
import { byteLoad } from '../serve/byte-load.ts';
import { type ServerProcess, startServer } from '../serve/child.ts';
import { startNginx } from '../serve/nginx.ts';
import { fetchAnswer } from '../serve/prepared.ts';
import { createToken, startIncipit } from '../serve/site.ts';
import { drawPhoto, measureVariants, type VariantResult } from './variants.ts';

/**
 * Variants of a photo compared with bare sharp, and a variant of 100 KB compared with a bare server that repeats its
 * bytes and with `sendfile` of nginx where that is installed. Options: `--json`, `--rounds <n>` (5), `--seconds <n>`
 * (3), `--only serving`.
 */
export async function runImagesBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      only: { type: 'string', default: '' },
    },
  });
  const rounds = Number(values.rounds);
  const seconds = Number(values.seconds);
  runSelfCheck();
  const folder = mkdtempSync(join(tmpdir(), 'incipit-bench-'));
  try {
    const photo = join(folder, 'photo.jpg');
    await drawPhoto(photo, 4000, 3000);
    const variants = values.only === 'serving' ? [] : await measureVariants(folder, photo, rounds);
    const serving = await measureServing(folder, rounds, seconds);
    report({ variants, ...serving }, values.json);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface ServeResult {
  readonly name: string;
  readonly requestsPerSecond: Spread;
  readonly ratio: Spread;
  readonly cpuMicros: Spread | undefined;
}

const bareServer = fileURLToPath(new URL('../serve/bare-server.ts', import.meta.url));

async function measureServing(
  folder: string,
  rounds: number,
  seconds: number,
): Promise<{ bytes: number; serving: ServeResult[] }> {
  const dataDir = join(folder, 'site');
  const incipit = await startIncipit(dataDir);
  const contestants: { name: string; url: string; server: ServerProcess; rates: number[]; cpu: number[] }[] =
    [];
  try {
    const url = await uploadVariant(incipit.url, createToken(dataDir), folder);
    const answer = await fetchAnswer(url, {});
    const file = join(folder, 'answer.json');
    writeFileSync(file, JSON.stringify([answer]));
    const bare = await startServer([bareServer, 'uws', file]);
    contestants.push({
      name: 'bare uWebSockets.js',
      url: bare.url + new URL(url).pathname,
      server: bare,
      rates: [],
      cpu: [],
    });
    contestants.push({ name: 'incipit', url, server: incipit, rates: [], cpu: [] });
    const nginx = await startNginx(join(folder, 'nginx'), answer);
    if (nginx !== undefined)
      contestants.push({
        name: 'nginx, sendfile',
        url: nginx.url + answer.path,
        server: nginx,
        rates: [],
        cpu: [],
      });
    for (let round = 0; round < rounds; round++) {
      const shift = round % contestants.length;
      for (const entry of [...contestants.slice(shift), ...contestants.slice(0, shift)]) {
        const before = entry.server.cpuMs() ?? Number.NaN;
        const result = await byteLoad(entry.url, { seconds, connections: 64 });
        entry.rates.push(result.requestsPerSecond);
        entry.cpu.push((((entry.server.cpuMs() ?? Number.NaN) - before) * 1000) / result.requests);
      }
    }
    const reference = contestants[0]?.rates ?? [];
    const serving = contestants.map(({ name, rates, cpu }) => ({
      name,
      requestsPerSecond: spreadOf(rates),
      ratio: spreadOf(rates.map((rate, round) => rate / (reference[round] ?? Number.NaN))),
      cpuMicros: cpu.some(Number.isNaN) ? undefined : spreadOf(cpu),
    }));
    return { bytes: Buffer.from(answer.body, answer.bodyEncoding).length, serving };
  } finally {
    await Promise.all([incipit, ...contestants.map(({ server }) => server)].map((server) => server.stop()));
  }
}

/** Uploads the photo of the other half and finds a width whose file has about 100 KB. */
async function uploadVariant(url: string, token: string, folder: string): Promise<string> {
  const photo = await sharp(readFileSync(join(folder, 'photo.jpg')))
    .resize({ width: 1600 })
    .jpeg()
    .toBuffer();
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(photo)]), 'photo.jpg');
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/v1/files`, { method: 'POST', headers, body: form });
  if (answer.status !== 201) throw new Error(`the upload answered ${answer.status}: ${await answer.text()}`);
  return `${url}/media/photo.jpg?w=1280`;
}

function report(
  results: { variants: readonly VariantResult[]; bytes: number; serving: readonly ServeResult[] },
  asJson: boolean,
): void {
  if (asJson) {
    console.log(JSON.stringify({ environment: environmentLine(), ...results }, null, 2));
    return;
  }
  const range = ({ low, high }: Spread) => `${low.toFixed(2)}-${high.toFixed(2)}`;
  const made = results.variants.map(({ name, imagesPerSecond, ratio }) => [
    name,
    imagesPerSecond.median.toFixed(3),
    ratio.median.toFixed(2),
    range(ratio),
  ]);
  const served = results.serving.map(({ name, requestsPerSecond, ratio, cpuMicros }) => [
    name,
    requestsPerSecond.median.toFixed(0),
    ratio.median.toFixed(2),
    range(ratio),
    cpuMicros?.median.toFixed(1) ?? '',
  ]);
  console.log(
    [
      environmentLine(),
      ...(made.length === 0
        ? []
        : [variantsLine, markdownTable(['variants', 'images/s', 'ratio', 'spread'], made)]),
      `A variant of ${results.bytes} bytes, 64 connections`,
      markdownTable(['serving', 'requests/s', 'ratio', 'spread', 'server CPU, µs per request'], served),
    ].join('\n\n'),
  );
}

const variantsLine =
  'Six widths in JPEG and WebP, and the original width in WebP, of a photo of 12 megapixels; one process, two outputs at a time';
