import Type from 'typebox';
import { defineRoute, type Route } from './route.ts';
import type { VersionNotice } from './version-notice.ts';

const ApiIndex = Type.Object(
  {
    name: Type.String({ description: 'Name of the program.' }),
    version: Type.String({ description: 'Version of the program; empty if it is hidden.' }),
    openapi: Type.String({ description: 'Address of the description of all endpoints.' }),
    docs: Type.String({ description: 'Where to read more.' }),
    health: Type.String({ description: 'Address of the health check.' }),
  },
  { title: 'ApiIndex', description: 'What is at this address.' },
);

/** `GET /api/v1`: what somebody needs to know who finds the address. */
export function apiIndexRoute(version: VersionNotice): Route {
  return defineRoute({
    method: 'GET',
    path: '/',
    access: 'public',
    needs: 'nothing',
    summary: 'Tell what is here',
    response: ApiIndex,
    handle: ({ actor }) => ({
      name: 'Incipit',
      version: version.shownTo(actor),
      openapi: '/api/v1/openapi.json',
      docs: 'README.md and runtime/TEMPLATES.md of the installed program',
      health: '/healthz',
    }),
  });
}
