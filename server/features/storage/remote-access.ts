import type { SharedServices } from '../../feature.ts';
import type { S3Config } from '../../storage/s3/config.ts';
import { openObjects } from '../../storage/s3/objects.ts';
import { probeConfig } from '../../storage/s3/probe.ts';
import { parseS3Config } from '../../storage/s3-settings.ts';
import type { StoredS3 } from '../../storage/store.ts';
import type { RemoteStorage } from '../../storage/used-storage.ts';

type RemoteAccessDeps = Pick<SharedServices, 'secrets' | 'outgoing' | 'clock'>;

/** Opens and tests object storage by its settings. */
export class RemoteAccess {
  readonly #deps: RemoteAccessDeps;

  constructor(deps: RemoteAccessDeps) {
    this.#deps = deps;
  }

  /** @throws ApiError `storage.endpointInvalid`, `storage.secretUndecryptable`, `common.invalid` */
  parse(s3: StoredS3): S3Config {
    return parseS3Config(s3, this.#deps.secrets, this.#deps.outgoing);
  }

  /** @param signal ends all requests */
  open(config: S3Config, signal?: AbortSignal): RemoteStorage {
    return {
      config,
      objects: openObjects(config, { ...this.#deps, ...(signal === undefined ? {} : { signal }) }),
    };
  }

  /** Writes, reads and deletes an object. @throws ApiError that tells what does not work */
  probe(config: S3Config, totalMs: number): Promise<void> {
    return probeConfig(config, { ...this.#deps, retriesMs: [], timeouts: { headersMs: totalMs, totalMs } });
  }
}
