import { contentQuery } from '../../db/prepared.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { WebhookEvent } from './model.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    webhooks: WebhookRow;
  }
}

interface WebhookRow {
  id: string;
  name: string;
  url: string;
  /** JSON */
  events: string;
  enabled: number;
  secret: string;
  created_at: number;
  updated_at: number;
}

/** A webhook as it is stored. */
export interface StoredWebhook {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly enabled: boolean;
  /** Encrypted. */
  readonly secret: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** All webhooks, oldest first. */
export async function listWebhooks(db: ContentDb): Promise<StoredWebhook[]> {
  return (await selectAll.all(db, {})).map(fromRow);
}

export async function findWebhook(db: ContentDb, id: string): Promise<StoredWebhook | undefined> {
  const row = await selectOne.first(db, { id });
  return row === undefined ? undefined : fromRow(row);
}

export async function insertWebhook(db: ContentDb, webhook: StoredWebhook): Promise<void> {
  await insert.run(db, toRow(webhook));
}

export async function updateWebhook(db: ContentDb, webhook: StoredWebhook): Promise<void> {
  await update.run(db, toRow(webhook));
}

/** False if there is no such webhook. */
export async function deleteWebhook(db: ContentDb, id: string): Promise<boolean> {
  return (await remove.run(db, { id })) > 0;
}

function fromRow({ events, enabled, ...row }: WebhookRow): StoredWebhook {
  // Type boundary: only this store writes the list.
  return { ...row, events: JSON.parse(events) as WebhookEvent[], enabled: enabled !== 0 };
}

function toRow({ events, enabled, ...webhook }: StoredWebhook): WebhookRow {
  return { ...webhook, events: JSON.stringify(events), enabled: Number(enabled) };
}

const selectAll = contentQuery((db, _p: object) =>
  db.selectFrom('webhooks').selectAll().orderBy('created_at').orderBy('id'),
);

const selectOne = contentQuery((db, p: { id: string }) =>
  db.selectFrom('webhooks').selectAll().where('id', '=', p.id),
);

const insert = contentQuery((db, p: WebhookRow) =>
  db.insertInto('webhooks').values({
    id: p.id,
    name: p.name,
    url: p.url,
    events: p.events,
    enabled: p.enabled,
    secret: p.secret,
    created_at: p.created_at,
    updated_at: p.updated_at,
  }),
);

const update = contentQuery((db, p: WebhookRow) =>
  db
    .updateTable('webhooks')
    .set({
      name: p.name,
      url: p.url,
      events: p.events,
      enabled: p.enabled,
      secret: p.secret,
      updated_at: p.updated_at,
    })
    .where('id', '=', p.id),
);

const remove = contentQuery((db, p: { id: string }) => db.deleteFrom('webhooks').where('id', '=', p.id));
