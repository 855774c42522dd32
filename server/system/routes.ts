import type { Changes } from '../change.ts';
import type { ContentDb } from '../db/tables.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { System, SystemUpdate } from './model.ts';
import { getSystem, type SystemFacts, updateSystem } from './service.ts';

/** Operation of the instance (document 2, "System"). */
export function systemRoutes(deps: SystemFacts & { reader: ContentDb; changes: Changes }): Route[] {
  const { reader, changes } = deps;
  return [
    defineRoute({
      method: 'GET',
      path: '/system',
      access: 'write',
      summary: 'How the instance is operated',
      response: System,
      handle: () => getSystem(reader, deps),
    }),
    defineRoute({
      method: 'PUT',
      path: '/system',
      access: 'write',
      summary: 'Switch the admin or headless operation on or off',
      body: SystemUpdate,
      response: System,
      async handle({ actor, body }) {
        await changes.administer(actor, (change) => updateSystem(change, body, deps));
        return getSystem(reader, deps);
      },
    }),
  ];
}
