import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isHost } from '../../../runtime/content/site-host.ts';
import {
  type AdminEncoding,
  type AdminFile,
  type AdminManifest,
  adminBuildFolder,
  encodingSuffix,
} from '../../config/build/admin-files.ts';
import { codingsFor } from '../../http/negotiate.ts';
import { nothingThere, textHeaders } from '../../http/plain-answers.ts';
import type { PublicHandler, PublicRequest, PublicResponse } from '../../http/public-exchange.ts';
import { contentEncoding, varyByEncoding } from '../../http/responses/cached-response.ts';
import { matchesIfNoneMatch } from '../../http/responses/conditions.ts';
import { oneVersion } from '../../http/responses/version-source.ts';
import { VersionedCache } from '../../http/responses/versioned-cache.ts';
import type { AdminGate } from '../auth/admin-gate.ts';
import { sandboxRights } from '../pens/view.ts';

const prefix = '/cms-admin/';
/** More than all files in all codings, which are 6 MB. */
const maxBytes = 16 * 2 ** 20;

/** The document of the admin, which shows every screen; the screens have addresses of their own. */
const documentFile = 'index.html';
/** Documents of frames by their address, with their headers. */
const frames: Readonly<Record<string, FrameDocument>> = {
  frame: { file: 'frame.html', headers: previewFrameHeaders },
  'pen-frame': { file: 'pen-frame.html', headers: () => penFrameHeaders },
};

interface FrameDocument {
  readonly file: string;
  headers(request: PublicRequest): PublicResponse['headers'];
}

const frameOfFile = new Map(Object.values(frames).map((frame) => [frame.file, frame]));

/**
 * Answers addresses below `/cms-admin/`. A file is found by its name in the manifest, never by a path from
 * outside; every other address is a screen and gets the admin's document.
 */
export function adminFiles(gate: AdminGate, manifest: AdminManifest | undefined): PublicHandler {
  const contents = new VersionedCache<Buffer>(oneVersion, maxBytes, ({ length }) => length);
  const content = (name: string) =>
    contents.take({ partition: '', address: name }, () => readFile(join(adminBuildFolder, name)));
  return (request) => {
    if (!gate.isOpenOn(request.host)) return nothingThere;
    if (request.path === '/cms-admin') return toDocument;
    if (!request.path.startsWith(prefix) || !isHost(request.host)) return nothingThere;
    if (manifest === undefined) return notBuilt;
    const name = nameOf(request.path.slice(prefix.length), manifest);
    const file = name === undefined ? undefined : manifest.files[name];
    if (name === undefined || file === undefined) return nothingThere;
    return answerFile(request, name, file, content);
  };
}

/** The file that answers an address; undefined for a file that does not exist (any more). */
function nameOf(address: string, manifest: AdminManifest): string | undefined {
  if (Object.hasOwn(frames, address)) return frames[address]?.file;
  if (Object.hasOwn(manifest.files, address) && !address.endsWith('.html')) return address;
  return isScreen(address) ? documentFile : undefined;
}

/** Screens have plain addresses: no file name, no percent-encoding, no dots. */
function isScreen(address: string): boolean {
  return !address.startsWith('assets/') && /^[\w/-]*$/.test(address);
}

async function answerFile(
  request: PublicRequest,
  name: string,
  file: AdminFile,
  content: (name: string) => Buffer | Promise<Buffer>,
): Promise<PublicResponse> {
  const encoding = chosenEncoding(request.acceptEncoding, file);
  const headers: PublicResponse['headers'] = [
    ['Content-Type', file.type],
    ['ETag', file.etag],
    varyByEncoding,
    ...contentEncoding(encoding),
    ...headersOf(request, name, file),
  ];
  if (matchesIfNoneMatch(request.ifNoneMatch, file.etag))
    return { status: '304 Not Modified', headers, body: undefined };
  const suffix = encoding === undefined ? '' : encodingSuffix[encoding];
  return { status: '200 OK', headers, body: await content(`${name}${suffix}`) };
}

function headersOf(request: PublicRequest, name: string, file: AdminFile): PublicResponse['headers'] {
  if (name === documentFile) return documentHeaders(request);
  return frameOfFile.get(name)?.headers(request) ?? fileHeaders(file.immutable);
}

/** Brotli is smaller, so it comes first. */
function chosenEncoding(acceptEncoding: string, { encodings }: AdminFile): AdminEncoding | undefined {
  const accepted = codingsFor(acceptEncoding);
  return (['br', 'gzip'] as const).find((name) => encodings.includes(name) && accepted.includes(name));
}

const toDocument: PublicResponse = {
  status: '302 Found',
  headers: [...textHeaders, ['Location', prefix]],
  body: '',
};

const notBuilt: PublicResponse = {
  status: '503 Service Unavailable',
  headers: textHeaders,
  body: 'The admin is not built. Run: npm run build\n',
};

type Headers = PublicResponse['headers'];

/**
 * The policy of the admin's own document. Scripts come from the admin's files only, so a text that reaches the
 * page as markup runs nothing. Styles may be inline, because Mantine and CodeMirror write style elements.
 */
function documentPolicy(request: Place): string {
  const scripts = ownScripts(request);
  return [
    "default-src 'none'",
    `script-src ${scripts}`,
    `worker-src ${scripts}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

type Place = Pick<PublicRequest, 'scheme' | 'host'>;

/**
 * The folder of the admin's scripts as a source. The origin has scripts of others too: uploaded files and those of
 * websites. A policy cannot name an address in brackets, so there the origin must do.
 */
function ownScripts({ scheme, host }: Place): string {
  return host.startsWith('[') ? "'self'" : `${scheme}://${host}/cms-admin/assets/`;
}

/**
 * The policy of the frame that shows previews. `sandbox` without `allow-same-origin` gives it an origin of its
 * own, so nothing in it reaches cookies or the admin. Scripts of the previewed page never run here: only the
 * admin's own files are scripts.
 */
function framePolicy(request: Place): string {
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src ${ownScripts(request)}`,
    "style-src * data: 'unsafe-inline'",
    'img-src * data: blob:',
    'font-src * data:',
    'media-src * data: blob:',
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

const uncached: Headers = [
  ['Cache-Control', 'no-cache'],
  ['X-Robots-Tag', 'noindex, nofollow'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
];

/** Headers of the admin's document. */
function documentHeaders(request: Place): Headers {
  return [...uncached, ['Content-Security-Policy', documentPolicy(request)], ['X-Frame-Options', 'DENY']];
}

/** Headers of the document in the preview frame. */
function previewFrameHeaders(request: Place): Headers {
  return [...uncached, ['Content-Security-Policy', framePolicy(request)]];
}

/**
 * Headers of the document in which the editor runs a pen. Its scripts may do what those of the public result may: its
 * origin is nobody's, so they reach neither cookies nor the admin.
 */
const penFrameHeaders: Headers = [
  ...uncached,
  ['Content-Security-Policy', `sandbox ${sandboxRights}; frame-ancestors 'self'`],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Frame-Options', 'SAMEORIGIN'],
];

/** Headers of all other files. The preview frame, which has no origin, loads scripts from here too. */
function fileHeaders(immutable: boolean): Headers {
  return [
    ['Cache-Control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache'],
    ['Access-Control-Allow-Origin', '*'],
  ];
}
