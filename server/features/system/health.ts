import { sql } from 'kysely';
import { contentQuery } from '../../db/prepared.ts';
import type { SharedServices } from '../../feature.ts';
import { nothingThere } from '../../http/plain-answers.ts';
import type { PublicHandler, PublicResponse } from '../../http/public-exchange.ts';
import type { AdminGate } from '../auth/admin-gate.ts';
import type { SecurityFeature } from '../security/index.ts';

type HealthParts = Pick<SharedServices, 'reader' | 'build' | 'clock' | 'log' | 'nodeState'>;

/**
 * GET /healthz (Core, "Public non-API routes"): 200, or 503 if the database does not answer or this node may not serve
 * now; never cached.
 */
export function healthHandler(
  parts: HealthParts,
  gate: AdminGate,
  security: Pick<SecurityFeature, 'isVersionHidden'>,
): PublicHandler {
  const { build, clock, nodeState } = parts;
  const startedAt = clock();
  return async ({ path }) => {
    if (path !== '/healthz') return nothingThere;
    const node = nodeState?.();
    const db = (await answers(parts)) ? 'ok' : 'error';
    const isUp = db === 'ok' && node?.lease !== false;
    const details = {
      version: build.version,
      build: build.build,
      commit: build.commit,
      uptime_s: Math.floor((clock() - startedAt) / 1000),
      headless: gate.headless,
      ...(node === undefined ? {} : { node }),
    };
    const body = { status: isUp ? 'ok' : 'error', db, ...(security.isVersionHidden() ? {} : details) };
    return { status: isUp ? '200 OK' : '503 Service Unavailable', headers, body: JSON.stringify(body) };
  };
}

async function answers({ reader, log }: HealthParts): Promise<boolean> {
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
];

/** Reads a table, so that a damaged file is detected as well. */
const selectOne = contentQuery((db, _p: object) =>
  db.selectFrom('pages').select(sql<number>`count(*)`.as('pages')).where('parent_id', 'is', null),
);
