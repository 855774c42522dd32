import { type StartTimer, startTimer } from '../../base/timers.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import type { Staging } from '../../storage/staging.ts';
import { attachedTables } from './attached-tables.ts';
import { parsingPool } from './loading/pool.ts';
import { importRoutes } from './routes.ts';
import { Imports, type ImportsDeps } from './service.ts';
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
