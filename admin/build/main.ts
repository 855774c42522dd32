/**
 * Builds the admin with Vite into `admin/generated/app/` and prepares each file compressed, so that the server
 * compresses nothing. Run by `npm run build`; does nothing if the sources are those of the last build.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import {
  type AdminEncoding,
  type AdminFile,
  type AdminManifest,
  adminBuildFolder,
  encodingSuffix,
  readAdminManifest,
} from '../../server/config/build/admin-files.ts';
import { computeSourcesHash, filesBelow, projectRoot } from './sources.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Compressing a smaller file saves less than one packet. */
const minCompressedBytes = 1000;

const compress: Readonly<Record<AdminEncoding, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gzipSync(bytes, { level: 9 }),
  br: (bytes) =>
    brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
};

async function buildAdmin(sources: string): Promise<void> {
  rmSync(adminBuildFolder, { recursive: true, force: true });
  await build({
    configFile: join(projectRoot, 'admin', 'build', 'vite.config.ts'),
    build: { outDir: adminBuildFolder },
    logLevel: 'warn',
  });
  const names = readdirSync(adminBuildFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(adminBuildFolder.length))
    .sort();
  const files = Object.fromEntries(names.map((name) => [name, describeFile(name)]));
  const build_ = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12);
  const manifest: AdminManifest = { build: build_, sources, files };
  writeFileSync(join(adminBuildFolder, 'manifest.json'), JSON.stringify(manifest));
}

/** Describes a built file and writes its compressed forms. */
function describeFile(name: string): AdminFile {
  const path = join(adminBuildFolder, name);
  const bytes = readFileSync(path);
  const type = types[extname(name)];
  if (type === undefined) throw new Error(`no content type is known for ${name}`);
  const isText = type !== types['.woff2'] && bytes.length >= minCompressedBytes;
  const encodings = (isText ? ['br', 'gzip'] : []) as AdminEncoding[];
  for (const encoding of encodings)
    writeFileSync(`${path}${encodingSuffix[encoding]}`, compress[encoding](bytes));
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { type, etag, immutable: name.startsWith('assets/'), encodings };
}

const sources = computeSourcesHash([
  ...filesBelow('admin/src', /\.(?:tsx?|css|json|html|svg)$/),
  ...filesBelow('admin/build', /\.ts$/),
  'admin/index.html',
  'admin/frame.html',
  'admin/pen-frame.html',
  'package-lock.json',
]);
if (readAdminManifest()?.sources !== sources) await buildAdmin(sources);
