import { join } from 'node:path';
import type { Feature, SharedServices } from '../../feature.ts';
import type { SecurityHeaders } from '../../http/security-headers.ts';
import type { Pool } from '../../processes/pool.ts';
import type { Staging } from '../../storage/staging.ts';
import type { PublicMedia } from '../media/index.ts';
import { ExportHistory } from './history.ts';
import { exportRoutes } from './routes.ts';
import { StaticExports } from './service.ts';

export interface ExportOptions {
  /** Renders the pages. */
  readonly pool: Pool;
  readonly media: PublicMedia;
  readonly staging: Staging;
  readonly security: SecurityHeaders;
}

/** A website as static files (Core, GET /sites/{id}/static). */
export function exportFeature(
  parts: Pick<SharedServices, 'reader' | 'snapshots' | 'version' | 'clock' | 'config' | 'log'>,
  { pool, media, staging, security }: ExportOptions,
): Feature {
  const history = new ExportHistory(join(parts.config.dataDir, 'cache', 'exports'));
  const { workers } = pool;
  const exports = new StaticExports({ ...parts, pool, workers, media, staging, history, security });
  return { routes: exportRoutes(exports), close: () => pool.close() };
}
