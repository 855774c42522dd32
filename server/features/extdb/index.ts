import type { Feature, SharedServices } from '../../feature.ts';
import { ExternalDatabases } from './databases.ts';
import { extdbRoutes } from './routes.ts';
import { listConnections } from './store.ts';

/** Connections to external database services (Data, Automation and Operations, "External database connections"). */
export interface ExtdbFeature extends Feature {
  readonly databases: ExternalDatabases;
}

export async function extdbFeature(
  parts: Pick<SharedServices, 'reader' | 'changes' | 'secrets' | 'outgoing' | 'monotonic'>,
): Promise<ExtdbFeature> {
  const databases = new ExternalDatabases(parts, await listConnections(parts.reader));
  return {
    about: { extdb: 'Connections to external database services.' },
    routes: extdbRoutes(parts, databases),
    followers: [
      {
        of: ['extdb_connections'],
        refresh: async () => databases.use(await listConnections(parts.reader)),
      },
    ],
    databases,
  };
}
