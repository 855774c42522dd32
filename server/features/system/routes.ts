import { defineRoute, type Route } from '../../api/route.ts';
import type { Change } from '../../changes/changes.ts';
import type { SharedServices } from '../../feature.ts';
import type { AdminGate } from '../auth/admin-gate.ts';
import { System, SystemUpdate } from './model.ts';
import { getSystem, updateSystem } from './service.ts';

export function systemRoutes({ reader, changes, config, build }: SharedServices, gate: AdminGate): Route[] {
  const facts = {
    gate,
    hasMasterToken: config.masterToken !== undefined,
    version: build.version,
    options: config.shown,
  };
  return [
    defineRoute({
      method: 'GET',
      path: '/system',
      access: 'write',
      needs: 'settings',
      summary: 'How the instance is operated',
      response: System,
      handle: () => getSystem(reader, facts),
    }),
    defineRoute({
      method: 'PUT',
      path: '/system',
      access: 'write',
      needs: 'settings',
      summary: 'Switch the admin or headless operation on or off, or limit what everyone may read at once',
      body: SystemUpdate,
      errors: ['system.forced', 'system.noWriteToken'],
      response: System,
      async handle({ actor, body }) {
        const limitsReaders = body.public_max_entries !== undefined;
        // Lists that are cached for everyone may be too long now.
        const save = limitsReaders ? changes.change.bind(changes) : changes.changeUnversioned.bind(changes);
        await save(actor, (change: Change) => updateSystem(change, body, facts));
        return getSystem(reader, facts);
      },
    }),
  ];
}
