import { Reply } from '../../../api/reply.ts';
import { defineRoute, type Route } from '../../../api/route.ts';
import { GeoForm, GeoState, GeoUpdate } from './model.ts';
import type { Countries } from './service.ts';

/** Country data (Data, Automation and Operations, "Statistics and country data"). */
export function countryRoutes(countries: Countries): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/geo',
      access: 'read',
      needs: 'read',
      summary: 'The state of the country data',
      response: GeoState,
      handle: () => countries.state(),
    }),
    defineRoute({
      method: 'PUT',
      path: '/geo',
      access: 'write',
      needs: 'settings',
      summary: 'Switch country data on or off',
      body: GeoUpdate,
      response: GeoState,
      handle: ({ actor, body }) => countries.setEnabled(actor, body.enabled),
    }),
    defineRoute({
      method: 'POST',
      path: '/geo/update',
      access: 'write',
      needs: 'settings',
      summary: 'Ask the registries for their lists, in the background',
      response: GeoState,
      status: 202,
      errors: ['geo.running', 'geo.disabled'],
      handle: async () => Reply.json(await countries.update(), { status: 202 }),
    }),
    defineRoute({
      method: 'POST',
      path: '/geo/upload',
      access: 'write',
      needs: 'settings',
      summary: 'Store allocation lists of registries: all of the form, or none',
      upload: GeoForm,
      response: GeoState,
      errors: [
        'geo.running',
        'geo.fileInvalid',
        'common.contentType',
        'common.invalidForm',
        'common.storageFull',
        'file.missing',
        'file.tooLarge',
      ],
      handle: ({ receive }) => countries.upload(receive),
    }),
  ];
}
