import type { Parts } from '../feature.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { Security, type SecuritySettings, SecurityUpdate } from './model.ts';
import { presentSecurity, readSecurity, updateSecurity } from './service.ts';

/** @param use called with new settings when they are stored, before the caller is answered */
export function securityRoutes(
  { reader, changes }: Pick<Parts, 'reader' | 'changes'>,
  use: (settings: SecuritySettings) => void,
): Route[] {
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
