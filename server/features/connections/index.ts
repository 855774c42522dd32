import type { Feature, SharedServices } from '../../feature.ts';
import { RemoteMode } from './remote-mode.ts';
import { connectionRoutes } from './routes.ts';
import { Sync, type SyncDeps } from './sync.ts';

export interface ConnectionsFeature extends Feature {
  readonly remoteMode: RemoteMode;
}

/** Connections to other instances, push and pull, remote mode (Data, Automation and Operations, "Connections"). */
export function connectionsFeature(deps: SyncDeps & SharedServices): ConnectionsFeature {
  const sync = new Sync(deps);
  return {
    remoteMode: new RemoteMode(deps),
    about: { connections: 'Other instances: push, pull, remote mode.' },
    routes: connectionRoutes({ ...deps, sync }),
    close: () => sync.close(),
  };
}
