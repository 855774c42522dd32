import type { AdminGate } from '../auth/admin-gate.ts';
import type { Feature } from '../feature.ts';
import { readAdminManifest } from '../startup/admin-build.ts';
import { adminFiles } from './files.ts';

/** The bundled admin application below `/cms-admin/` (Core, "Public non-API routes"). */
export function adminFeature(gate: AdminGate): Feature {
  return { addresses: { 'cms-admin': adminFiles(gate, readAdminManifest()) } };
}
