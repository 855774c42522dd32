import type { SourceAnswer, SourceRequest } from '../../../runtime/content/source-data.ts';
import type { SourceListResult } from '../../../runtime/tasks/messages/sources.ts';
import type { Actor } from '../../base/actor.ts';
import { type ApiError, apiError, collectFaults, type ErrorCode, invalid } from '../../base/errors.ts';
import { hasSameOrigin } from '../../base/origin.ts';
import { requireConfirmed } from '../../base/refusals/confirmation.ts';
import { compareIgnoringCase } from '../../base/text.ts';
import type { Change } from '../../changes/changes.ts';
import type { Kind } from '../../content/kinds/kind.ts';
import { dataReferencesIn } from '../../content/kinds/references.ts';
import type { RestoredNames, RowEdits } from '../../content/kinds/trash/declaration.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { Outgoing } from '../../http/outgoing/client.ts';
import type { Pool } from '../../processes/pool.ts';
import { checkDataSlug, checkDataSlugForm } from '../collections/service.ts';
import { dataSlugName } from '../collections/trash.ts';
import { SourceError, type SourceFetcher, type SourceReply } from './fetch.ts';
import { Source, SourceCreate, type SourceTest, type SourceTestResult, SourceUpdate } from './model.ts';
import type { Expanded, Params } from './placeholders.ts';
import * as store from './store.ts';

const errors: readonly ErrorCode[] = ['collection.slugTaken'];

/** Data that another service answers with (Data, Automation and Operations, "REST source"). */
export function sourceKind(
  outgoing: Pick<Outgoing, 'faultOf'>,
): Kind<Source, typeof SourceCreate, typeof SourceUpdate> {
  return {
    name: 'source',
    path: '/sources',
    noun: 'a source',
    about: 'REST sources: data of other services.',
    schemas: { create: SourceCreate, update: SourceUpdate, answer: Source },
    errors: { create: errors, update: [...errors, 'auth.confirm'] },
    list: { summary: 'List sources', entry: Source, read: (db) => listSources(db) },
    endpoints: ['create', 'update', 'delete'],
    find: (db, id) => store.sources.find(db, id),
    faultsIn: (_db, { slug, url, headers }) =>
      collectFaults([
        () => slug !== undefined && checkDataSlugForm(slug),
        () => url !== undefined && checkUrl(url, outgoing),
        () => headers !== undefined && checkHeaders(headers),
      ]),
    async create({ tx, now }, body) {
      await checkDataSlug(tx, body.slug, {});
      const source = {
        slug: body.slug,
        name: body.name || body.slug,
        method: body.method ?? 'GET',
        url: body.url,
        headers: body.headers ?? {},
        body: body.body ?? '',
        list_path: body.list_path ?? '',
        cache_ttl: body.cache_ttl ?? 300,
        timeout: body.timeout ?? 10,
        created_at: now,
        updated_at: now,
      };
      return { id: await store.sources.insert(tx, source), ...source };
    },
    async merge({ tx, actor, now }, before, { slug, ...body }) {
      if (slug !== undefined) await checkDataSlug(tx, slug, { sourceId: before.id });
      const changed = Object.entries(body).filter(([, value]) => value !== undefined);
      // Headers hold secrets, which the server of another address must not get.
      const isMoved = body.url !== undefined && !hasSameOrigin(body.url, before.url);
      if (isMoved && Object.keys(before.headers).length > 0) requireConfirmed(actor, now);
      const headers = isMoved ? {} : before.headers;
      return { ...before, headers, slug: slug ?? before.slug, ...Object.fromEntries(changed) };
    },
    async write({ tx }, after) {
      await store.sources.update(tx, after);
      return after;
    },
    async remove({ tx }, { id }) {
      await store.sources.remove(tx, id);
    },
    rights: { code: 'all' },
    namesOf: ({ slug, name }) => ({ slug, name }),
    redactFor,
    refersTo: ({ url, body }) => ({ url: dataReferencesIn(url), body: dataReferencesIn(body) }),
    // Whose address it is nobody knows, so it stays when a collection is renamed.
    naming: ({ url, body }, visit) => ({
      url: visit({ field: 'url', source: url, holds: 'address' }),
      body: visit({ field: 'body', source: body, holds: 'address' }),
    }),
    batch: { ops: ['create', 'update', 'delete'], idFields: [] },
    trash: { redactFor, beforeRestore: prepareSource },
    tables: ['sources'],
  };
}

export async function listSources(db: ContentDb): Promise<Source[]> {
  return (await store.sources.list(db)).sort((left, right) => compareIgnoringCase(left.name, right.name));
}

async function prepareSource({ tx }: Change, { slug }: Source, names: RestoredNames): Promise<RowEdits> {
  const free = await names.claim(dataSlugName(tx, slug));
  return { sources: (row) => ({ ...row, slug: free }) };
}

/** A source as a caller may see it: read-only tokens do not see the values of its headers. */
export function redactFor(actor: Actor, source: Source): Source {
  if (actor.kind !== 'token' || actor.canWrite) return source;
  return { ...source, headers: Object.fromEntries(Object.keys(source.headers).map((name) => [name, ''])) };
}

export async function findSource(db: ContentDb, slug: string): Promise<Source | undefined> {
  const id = await store.findIdBySlug(db, slug);
  return id === undefined ? undefined : store.sources.find(db, id);
}

/** Answers what a template asks a source for; a failure becomes the text of a render error. */
export async function answerFor(
  db: ContentDb,
  fetcher: SourceFetcher,
  { slug, params }: SourceRequest,
): Promise<SourceAnswer> {
  const source = await findSource(db, slug);
  if (source === undefined) return { slug, params, error: `there is no source "${slug}"`, expiresAt: 0 };
  try {
    const { bytes, expiresAt } = await fetcher.fetch(source, params);
    return { slug, params, bytes, expiresAt };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { slug, params, error: error.message, expiresAt: 0 };
  }
}

/** The list of a source as JSON, for GET /data/{slug}. @throws ApiError 502 `data.sourceFailed` */
export async function sourceJson(
  { fetcher, pool }: { readonly fetcher: SourceFetcher; readonly pool: Pick<Pool, 'request'> },
  source: Source,
  params: Params,
): Promise<Uint8Array> {
  const failed = (reason: string) => apiError('data.sourceFailed', { source: source.slug, reason });
  try {
    const { bytes } = await fetcher.fetch(source, params);
    const result = await pool.request({ kind: 'source-list', bytes, listPath: source.list_path });
    if (result.kind === 'fault') throw failed(result.reason);
    return result.json;
  } catch (error) {
    if (error instanceof SourceError) throw failed(error.message);
    throw error;
  }
}

/** POST /sources/test: asks a source that is not saved. Secrets of the environment are hidden in the answer. */
export async function testSource(
  { fetcher, pool }: { readonly fetcher: SourceFetcher; readonly pool: Pick<Pool, 'request'> },
  body: SourceTest,
): Promise<SourceTestResult> {
  const { url, method = 'GET', headers = {}, list_path: listPath = '', timeout = 10 } = body;
  const params = Object.fromEntries(
    Object.entries(body.params ?? {}).map(([name, value]) => [name, String(value)]),
  );
  const asked = { url, method, headers, body: body.body ?? '', timeout, cache_ttl: 0 };
  const started = performance.now();
  let request: Expanded | undefined;
  const { reply, failure } = await captureReply(() => {
    request = fetcher.expand(asked, params);
    return fetcher.send(request, timeout);
  });
  const durationMs = Math.round(performance.now() - started);
  const mask = (text: string) => request?.mask(text) ?? text;
  const masked = Buffer.from(mask(Buffer.from(reply?.bytes ?? []).toString()));
  const list =
    reply === undefined ? undefined : await pool.request({ kind: 'source-list', bytes: masked, listPath });
  const isFound = list?.kind === 'list' && failure === undefined;
  const error = failure ?? (list?.kind === 'fault' ? faultOf(list, listPath) : undefined);
  return {
    result: {
      status: reply?.status ?? 0,
      url: mask(request?.url ?? url),
      headers: Object.fromEntries([...(reply?.headers ?? [])].map(([name, value]) => [name, mask(value)])),
      duration_ms: durationMs,
      data: isFound ? parsed(list.json) : null,
      raw: list === undefined ? null : shownAnswer(masked, list),
      cached: false,
    },
    ...(error === undefined
      ? {}
      : { error: error.message, error_code: error.code, error_params: { ...error.params } }),
  };
}

/** What came back, also with a status that is an error. */
async function captureReply(
  send: () => Promise<SourceReply>,
): Promise<{ readonly reply: SourceReply | undefined; readonly failure?: ApiError }> {
  try {
    return { reply: await send() };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { reply: error.reply, failure: error.failure };
  }
}

function faultOf({ isJson }: { readonly isJson: boolean }, path: string): ApiError {
  return isJson ? apiError('source.listMissing', { path }) : apiError('source.notJson', {});
}

/** The whole answer: a value if it is JSON, else its beginning as text. */
function shownAnswer(bytes: Buffer, list: SourceListResult): unknown {
  return list.kind === 'list' || list.isJson ? parsed(bytes) : bytes.toString().slice(0, maxRawText);
}

const maxRawText = 10_000;

function parsed(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString());
}

/** @throws ApiError `common.invalid` for `url` */
function checkUrl(url: string, outgoing: Pick<Outgoing, 'faultOf'>): void {
  if (!/^https?:\/\/[^/]/i.test(url)) throw invalid('url', 'must be an absolute http(s) address');
  // An address with placeholders is known only when it is asked.
  const fault = url.includes('{') ? undefined : outgoing.faultOf(url);
  if (fault !== undefined) throw invalid('url', `cannot be asked: ${fault.reason}`);
}

/** @throws ApiError `common.invalid` for `headers` */
function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw invalid('headers', `has the wrong name "${name}"`);
    if (/[\r\n\0]/.test(value)) throw invalid('headers', `has a line break in "${name}"`);
  }
  if (Object.keys(headers).length > 100) throw invalid('headers', 'must have at most 100 entries');
}
