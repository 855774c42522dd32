import { api, requireData } from '../../api/client.ts';
import { ApiFailure, toRecord } from '../../api/failure.ts';
import type { ExportReport } from '../../api/generated/schema.ts';
import { instanceName } from '../../api/instance.ts';
import { sessionRenewal } from '../../api/renewal/session-renewal.ts';

export type { ExportReport };

export const linkForms = ['root', 'relative', 'base'] as const;
export const formats = ['apache', 'netlify', 'cloudflare'] as const;

export interface ExportOptions {
  readonly links: (typeof linkForms)[number];
  readonly format: (typeof formats)[number];
  /** Address at which the files will lie; empty for that of the website. */
  readonly base: string;
  /** All public files of the library, in place of those that are used. */
  readonly allMedia: boolean;
  /** `X-IC-Export` of an earlier export; empty for all files. */
  readonly since: string;
}

/** An export that was made in this browser. */
export interface EarlierExport {
  readonly hash: string;
  /** Unix seconds. */
  readonly at: number;
}

export interface MadeExport {
  readonly bytes: number;
  /** The earlier state is not known any more, so that all files are there. */
  readonly isFull: boolean;
}

/** What an export would contain. */
export async function exportReport(site: number, options: ExportOptions): Promise<ExportReport> {
  const query = { ...queryOf(options), dry: true };
  const answer = await requireData(api.GET('/sites/{id}/static', { params: { path: { id: site }, query } }));
  // Type boundary: with `dry` the answer is the report.
  return answer as ExportReport;
}

/** The report in an answer that refuses an export; undefined if there is none. */
export function reportIn(error: unknown): ExportReport | undefined {
  if (!(error instanceof ApiFailure) || error.code !== 'export.incomplete') return undefined;
  // Type boundary: this refusal comes with its report.
  return error.body['report'] as ExportReport | undefined;
}

/**
 * Makes an export and hands it to the browser as a file.
 *
 * @param onProgress bytes so far, and of all
 * @throws ApiFailure
 */
export async function downloadExport(
  site: number,
  options: ExportOptions,
  { signal, onProgress }: { readonly signal: AbortSignal; onProgress(done: number, total: number): void },
): Promise<MadeExport> {
  const query = new URLSearchParams(queryOf(options));
  const response = await request(`/api/v1/sites/${site}/static?${query}`, signal);
  const total = Number(response.headers.get('Content-Length'));
  const archive = await new Response(counted(response.body, (done) => onProgress(done, total))).blob();
  save(archive, nameIn(response) ?? `site-${site}.zip`);
  const hash = response.headers.get('X-IC-Export');
  if (hash !== null) noteExport(site, { hash, at: Math.floor(Date.now() / 1000) });
  return { bytes: archive.size, isFull: response.headers.get('X-IC-Export-Full') === '1' };
}

/** Most exports of a website that this browser knows. */
const maxEarlier = 5;

/** The last exports of a website that were made in this browser, newest first. */
export function earlierExports(site: number): readonly EarlierExport[] {
  const stored: unknown = JSON.parse(localStorage.getItem(keyOf(site)) ?? '[]');
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((entry) => {
    const { hash, at } = toRecord(entry);
    return typeof hash === 'string' && typeof at === 'number' ? [{ hash, at }] : [];
  });
}

function noteExport(site: number, made: EarlierExport): void {
  const others = earlierExports(site).filter(({ hash }) => hash !== made.hash);
  localStorage.setItem(keyOf(site), JSON.stringify([made, ...others].slice(0, maxEarlier)));
}

function keyOf(site: number): string {
  return `ic-exports ${instanceName()}${site}`;
}

function queryOf({ links, format, base, allMedia, since }: ExportOptions) {
  return {
    links,
    format,
    ...(base.trim() === '' ? {} : { base: base.trim() }),
    ...(allMedia ? { media: 'all' as const } : {}),
    ...(since === '' ? {} : { changed_since: since }),
  };
}

/** The answer with the archive, whose bytes are read as they come. */
async function request(address: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(address, { signal }).catch((error: unknown) => {
    throw signal.aborted ? error : ApiFailure.offline();
  });
  if (response.status === 401) {
    await sessionRenewal.wait();
    return request(address, signal);
  }
  if (!response.ok) throw new ApiFailure(response.status, toRecord(await response.json().catch(() => ({}))));
  return response;
}

function counted(
  body: Response['body'],
  onProgress: (done: number) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> | null {
  let done = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(part, controller) {
      done += part.byteLength;
      onProgress(done);
      controller.enqueue(part);
    },
  });
  return body === null ? null : body.pipeThrough(counter);
}

function nameIn(response: Response): string | undefined {
  return /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1];
}

function save(archive: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(archive);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
