import { defineRoute, type Route } from '../../api/route.ts';
import type { Parts } from '../../feature.ts';
import { Security, type SecuritySettings, SecurityUpdate } from './model.ts';
import { presentSecurity, readSecurity, updateSecurity } from './service.ts';
import { listSources } from './sources.ts';
import { SecuritySources } from './sources-model.ts';

/** @param use called with new settings when they are stored, before the caller is answered */
export function securityRoutes(
  parts: Pick<Parts, 'reader' | 'changes' | 'pool' | 'clock'>,
  use: (settings: SecuritySettings) => void,
): Route[] {
  const { reader, changes } = parts;
  return [
    defineRoute({
      method: 'GET',
      path: '/security',
      access: 'write',
      summary: 'The security settings and the headers that they give',
      response: Security,
      handle: async () => presentSecurity(await readSecurity(reader)),
    }),
    defineRoute({
      method: 'GET',
      path: '/security/sources',
      access: 'write',
      summary: 'What the pages load, for writing a policy',
      response: SecuritySources,
      handle: ({ host }) => listSources(parts, host),
    }),
    defineRoute({
      method: 'PUT',
      path: '/security',
      access: 'write',
      summary: 'Change security settings',
      body: SecurityUpdate,
      response: Security,
      async handle({ actor, body }) {
        const settings = await changes.administer(actor, async (change) => {
          const updated = await updateSecurity(change, body);
          change.after(() => use(updated));
          return updated;
        });
        return presentSecurity(settings);
      },
    }),
  ];
}
