import { ApiError } from '../../base/errors.ts';
import type { SharedServices } from '../../feature.ts';
import type { BundleInfo } from '../bundle/model.ts';
import type { Bundles } from '../bundle/service.ts';
import type { ConnectionStatus } from './model.ts';
import type { StoredConnection } from './store.ts';
import type { Sync } from './sync.ts';

interface StatusDeps extends Pick<SharedServices, 'build'> {
  readonly bundles: Bundles;
  readonly sync: Sync;
}

/** GET /connections/{id}/status */
export async function readStatus(
  connection: StoredConnection,
  { build, bundles, sync }: StatusDeps,
): Promise<ConnectionStatus> {
  const local = await bundles.state();
  const own = { local_schema: local.schema, local_version: build.version, local_commit: build.commit };
  const isLocalChanged = local.hash !== connection.sync_hash;
  let remote: BundleInfo;
  try {
    remote = await sync.remote(connection).info();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return {
      reachable: false,
      error: String(error.params['error'] ?? error.message),
      remote: null,
      ...own,
      synced: false,
      local_changed: isLocalChanged,
      remote_changed: false,
      version_mismatch: false,
    };
  }
  const isSynced = remote.hash === local.hash;
  return {
    reachable: true,
    error: '',
    remote,
    ...own,
    synced: isSynced,
    local_changed: !isSynced && isLocalChanged,
    remote_changed: !isSynced && remote.hash !== connection.sync_hash,
    version_mismatch:
      remote.schema !== local.schema ||
      remote.version !== build.version ||
      // Of a release the commit is not known.
      (build.commit !== '' && remote.commit !== '' && remote.commit !== build.commit),
  };
}
