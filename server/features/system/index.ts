import type { Feature, SharedServices } from '../../feature.ts';
import type { AdminGate } from '../auth/admin-gate.ts';
import type { SecurityFeature } from '../security/index.ts';
import { healthHandler } from './health.ts';
import { systemRoutes } from './routes.ts';

/**
 * System settings (Data, Automation and Operations, "System, security, mail, storage settings") and health
 * check.
 */
export function systemFeature(
  parts: SharedServices,
  gate: AdminGate,
  security: Pick<SecurityFeature, 'isVersionHidden'>,
): Feature {
  return {
    about: { system: 'How the instance is operated.' },
    routes: systemRoutes(parts, gate),
    followers: [{ of: ['settings'], refresh: () => gate.reload() }],
    addresses: { healthz: healthHandler(parts, gate, security) },
  };
}
