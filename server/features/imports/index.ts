import { type StartTimer, startTimer } from '../../base/timers.ts';
import type { AttachedTable } from '../../content/kinds/kind.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import type { Staging } from '../../storage/staging.ts';
import { parsingPool } from './loading/pool.ts';
import { importRoutes } from './routes.ts';
import { Imports, type ImportsDeps } from './service.ts';
import { hasUsableHosts } from './store.ts';
import { Suggestions, type SuggestionsDeps } from './suggestions.ts';

export interface ImportsOptions extends Pick<ImportsDeps, 'media'>, Pick<SuggestionsDeps, 'pages'> {
  readonly staging: Staging;
  /** Path of the code of a process that reads what other websites send. */
  readonly parserFile: string;
  readonly later?: StartTimer | undefined;
}

/** Website imports (Data, Automation and Operations, "Website import"). */
export function importsFeature(
  parts: SharedServices,
  { parserFile, later = startTimer, ...options }: ImportsOptions,
): Feature {
  const pool = parsingPool(parts, parserFile);
  const imports = new Imports({ ...parts, ...options, pool, later });
  return {
    attachedTables,
    about: { import: 'Other websites, as they are taken over.' },
    routes: importRoutes(imports, new Suggestions({ ...parts, ...options, pool, jobs: imports.jobs })),
    async close() {
      await imports.jobs.close();
      await pool.close();
    },
  };
}

/**
 * Where imported objects come from. A bundle carries it, so that a website that has moved to another instance can
 * still be imported again without losing what was edited.
 */
const attachedTables: readonly AttachedTable[] = [
  { name: 'imported_pages', kind: 'page' },
  { name: 'imported_files', kind: 'file' },
  { name: 'imported_assets', kind: 'asset' },
  { name: 'import_hosts', kind: 'page', faultIn: faultInHosts },
];

async function faultInHosts(db: ContentDb): Promise<string | undefined> {
  return (await hasUsableHosts(db)) ? undefined : 'hosts of an import are no list';
}
