import type { Feature } from '../../feature.ts';
import type { AdminGate } from '../auth/admin-gate.ts';
import { bundleRoutes } from './routes.ts';
import { Bundles, type BundlesDeps } from './service.ts';

export interface BundleFeature extends Feature {
  readonly bundles: Bundles;
}

/** The content of the instance as an archive, its import, and backups. */
export function bundleFeature(deps: BundlesDeps, gate: Pick<AdminGate, 'headless'>): BundleFeature {
  const bundles = new Bundles(deps);
  const sweep = bundles.backups
    .sweep()
    .catch((error: unknown) =>
      deps.log.warn({ err: error }, 'the folder of backups could not be looked through'),
    );
  return {
    bundles,
    about: { bundle: 'The content of the instance as one archive, and backups.' },
    routes: bundleRoutes({ ...deps, bundles, isHeadless: () => gate.headless }),
    async close() {
      await sweep;
      await bundles.close();
    },
  };
}
