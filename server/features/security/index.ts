import type { Feature, SharedServices } from '../../feature.ts';
import type { SecurityHeaders } from '../../http/security-headers.ts';
import { computeHeaders } from './headers.ts';
import { securityRoutes } from './routes.ts';
import { readSecurity } from './service.ts';

/** The security settings (Data, Automation and Operations, "System, security, mail, storage settings"). */
export interface SecurityFeature extends Feature {
  readonly headers: SecurityHeaders;
  /** Whether `/healthz` hides everything but the state (`hide_version`). */
  isVersionHidden(): boolean;
}

export async function securityFeature(
  parts: Pick<SharedServices, 'reader' | 'changes' | 'sharing' | 'pool' | 'clock'>,
): Promise<SecurityFeature> {
  let current = await readSecurity(parts.reader);
  const headers = { current: computeHeaders(current) };
  const refresh = async (): Promise<void> => {
    current = await readSecurity(parts.reader);
    headers.current = computeHeaders(current);
    parts.sharing?.invalidate();
  };
  return {
    about: { security: 'What browsers may do with the answers of this server.' },
    routes: securityRoutes(parts),
    followers: [{ of: ['settings'], refresh }],
    headers,
    isVersionHidden: () => current.hide_version,
  };
}
