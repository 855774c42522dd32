import { defineRoute, type Route } from '../../api/route.ts';
import type { SharedServices } from '../../feature.ts';
import { Security, SecurityUpdate } from './model.ts';
import { presentSecurity, readSecurity, updateSecurity } from './service.ts';
import { listSources } from './sources.ts';
import { SecuritySources } from './sources-model.ts';

export function securityRoutes(
  parts: Pick<SharedServices, 'reader' | 'changes' | 'pool' | 'clock'>,
): Route[] {
  const { reader, changes } = parts;
  return [
    defineRoute({
      method: 'GET',
      path: '/security',
      access: 'write',
      needs: 'settings',
      summary: 'The security settings and the headers that they give',
      response: Security,
      handle: async () => presentSecurity(await readSecurity(reader)),
    }),
    defineRoute({
      method: 'GET',
      path: '/security/sources',
      access: 'write',
      needs: 'settings',
      summary: 'What the pages load, for writing a policy',
      response: SecuritySources,
      handle: ({ host }) => listSources(parts, host),
    }),
    defineRoute({
      method: 'PUT',
      path: '/security',
      access: 'write',
      needs: 'settings',
      summary: 'Change security settings',
      body: SecurityUpdate,
      response: Security,
      async handle({ actor, body }) {
        return presentSecurity(
          await changes.changeUnversioned(actor, (change) => updateSecurity(change, body)),
        );
      },
    }),
  ];
}
