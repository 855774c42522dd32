import { readAdminManifest } from '../../config/build/admin-files.ts';
import type { Feature } from '../../feature.ts';
import type { PublicHandler, PublicRequest, PublicResponse } from '../../http/public-exchange.ts';
import type { AdminGate } from '../auth/admin-gate.ts';
import { adminFiles } from './files.ts';

/** Answers the addresses of the admin that visitors may open too; undefined where the admin must be shown. */
export type VisitorsHandler = (request: PublicRequest) => Promise<PublicResponse | undefined> | undefined;

/** The bundled admin application below `/cms-admin/` (Core, "Public non-API routes"). */
export function adminFeature(gate: AdminGate, forVisitors: VisitorsHandler): Feature {
  const files = adminFiles(gate, readAdminManifest());
  return { addresses: { 'cms-admin': withVisitors(files, forVisitors) } };
}

/** Headers are read before anything is awaited, so the admin's answer is made first where it may be needed. */
function withVisitors(files: PublicHandler, forVisitors: VisitorsHandler): PublicHandler {
  return (request) => {
    const shown = forVisitors(request);
    if (shown === undefined) return files(request);
    const admin = files(request);
    return shown.then((response) => response ?? admin);
  };
}
