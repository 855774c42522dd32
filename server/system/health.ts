import { sql } from 'kysely';
import type { BuildInfo } from '../build-info.ts';
import type { Clock } from '../clock.ts';
import { contentQuery } from '../db/prepared.ts';
import type { ContentDb } from '../db/tables.ts';
import type { PublicResponse } from '../http/public.ts';
import type { Log } from '../log.ts';
import type { AdminGate } from './admin-gate.ts';

export interface HealthOptions {
  readonly reader: ContentDb;
  readonly build: BuildInfo;
  readonly gate: AdminGate;
  readonly clock: Clock;
  readonly log: Log;
}

/** GET /healthz (Core, "Public non-API routes"): 200, or 503 when the database does not answer; never cached. */
export function createHealth(options: HealthOptions): () => Promise<PublicResponse> {
  const startedAt = options.clock();
  return async () => {
    const isUp = await answers(options);
    const body = {
      status: isUp ? 'ok' : 'error',
      version: options.build.version,
      db: isUp ? 'ok' : 'error',
      build: options.build.build,
      commit: options.build.commit,
      uptime_s: Math.floor((options.clock() - startedAt) / 1000),
      headless: options.gate.headless,
    };
    return { status: isUp ? '200 OK' : '503 Service Unavailable', headers, body: JSON.stringify(body) };
  };
}

async function answers({ reader, log }: HealthOptions): Promise<boolean> {
  try {
    await selectOne.first(reader, {});
    return true;
  } catch (error) {
    log.error({ err: error }, 'the database does not answer');
    return false;
  }
}

const headers: PublicResponse['headers'] = [
  ['Content-Type', 'application/json; charset=utf-8'],
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
];

/** Reads a table, so that a damaged file is noticed as well. */
const selectOne = contentQuery((db, _p: object) =>
  db.selectFrom('pages').select(sql<number>`count(*)`.as('pages')).where('parent_id', 'is', null),
);
