import { randomUUID } from 'node:crypto';
import { renderEndedHtml } from '../../../runtime/page/default-pages.ts';
import type { PenResult } from '../../../runtime/tasks/messages/documents.ts';
import { Reply } from '../../api/reply.ts';
import { apiError } from '../../base/errors.ts';
import type { Kind } from '../../content/kinds/kind.ts';
import { dataReferencesIn, mediaReferencesIn } from '../../content/kinds/references.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { SharedServices } from '../../feature.ts';
import { WorkerLostError } from '../../processes/pool-worker.ts';
import { requestHost } from '../pages/address.ts';
import { Pen, PenCreate, type PenPreview, type PenPreviewRequest, PenUpdate, SavedPen } from './model.ts';
import * as store from './store.ts';

/** A playground of HTML, CSS and JS (Data, Automation and Operations, "Pen"). */
export const penKind: Kind<Pen, typeof PenCreate, typeof PenUpdate> = {
  name: 'pen',
  path: '/pens',
  noun: 'a pen',
  about: 'Playgrounds of HTML, CSS and JS with addresses of their own.',
  schemas: { create: PenCreate, update: PenUpdate, answer: Pen, saved: SavedPen },
  list: { summary: 'List pens, most recently changed first', entry: Pen, read: store.listPens },
  findId: store.findIdByUuid,
  find: store.pens.find,
  async create({ tx, now }, body) {
    const pen = {
      uuid: randomUUID(),
      ...{ title: '', html: '', css: '', js: '', public: false, show_code: true },
      ...body,
      created_at: now,
      updated_at: now,
    };
    return { id: await store.pens.insert(tx, pen), ...pen };
  },
  async merge(_change, before, { base_updated_at: _base, ...fields }) {
    return { ...before, ...fields };
  },
  async write({ tx }, after) {
    await store.pens.update(tx, after);
    return after;
  },
  async remove({ tx }, { id }) {
    await store.pens.remove(tx, id);
  },
  rights: { code: 'all' },
  namesOf: ({ title }) => ({ name: title }),
  texts: ({ html, css, js }) => [
    { language: 'template', field: 'html', name: 'pen', source: html },
    { language: 'css', field: 'css', name: 'pen (css)', source: css },
    { language: 'js', field: 'js', name: 'pen (js)', source: js },
  ],
  refersTo: ({ css, js }) => ({
    css: mediaReferencesIn(css),
    js: [...mediaReferencesIn(js), ...dataReferencesIn(js)],
  }),
  naming: ({ js }, visit) => ({ js: visit({ field: 'js', source: js, holds: 'text' }) }),
  tables: ['pens'],
  bundle: { names: { html: 'template' } },
};

/** The pen of an address; undefined if there is none. */
export async function findPen(db: ContentDb, uuid: string): Promise<Pen | undefined> {
  const id = await store.findIdByUuid(db, uuid);
  return id === undefined ? undefined : store.pens.find(db, id);
}

/** Where a pen is shown. */
export interface PenRequest {
  readonly host: string;
  readonly scheme: 'http' | 'https';
  readonly preview: boolean;
  /** Whom signed addresses end with; only previews have such addresses. */
  readonly opener?: string;
}

/**
 * Renders a pen. A render that was ended because of its time or memory fails as one with an error in a template does.
 *
 * @throws PoolBusyError
 */
export async function renderPen(
  { pool, clock }: Pick<SharedServices, 'pool' | 'clock'>,
  { uuid, title, html, css, js }: Pen,
  { host, scheme, preview, opener }: PenRequest,
): Promise<PenResult> {
  const pen = { uuid, title, html, css, js };
  try {
    const shown = { host: requestHost(host), scheme, now: clock(), preview, opener };
    return await pool.run({ kind: 'pen', pen, ...shown });
  } catch (error) {
    if (!(error instanceof WorkerLostError)) throw error;
    return { kind: 'failed', message: error.message, text: renderEndedHtml(error.message) };
  }
}

/**
 * POST /pens/{uuid}/preview: the document of a pen with unsaved fields. A template error is 422.
 *
 * @throws ApiError `common.notFound`
 */
export async function previewPen(
  deps: Pick<SharedServices, 'reader' | 'pool' | 'clock'>,
  uuid: string,
  fields: PenPreviewRequest,
  request: Omit<PenRequest, 'preview'>,
): Promise<PenPreview | Reply> {
  const pen = await findPen(deps.reader, uuid);
  if (pen === undefined) throw apiError('common.notFound', {});
  const result = await renderPen(deps, { ...pen, ...fields }, { ...request, preview: true });
  if (result.kind === 'failed') return Reply.json({ error: result.message }, { status: 422 });
  return { html: result.text };
}
