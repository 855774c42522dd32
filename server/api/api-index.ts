import Type from 'typebox';
import { defineRoute, type Route } from './route.ts';

const ApiIndex = Type.Object(
  {
    name: Type.String({ description: 'Name of the program.' }),
    version: Type.String({ description: 'Version of the program.' }),
    openapi: Type.String({ description: 'Address of the description of all endpoints.' }),
    docs: Type.String({ description: 'Where to read more.' }),
    health: Type.String({ description: 'Address of the health check.' }),
  },
  { title: 'ApiIndex', description: 'What is at this address.' },
);

/** `GET /api/v1`: what somebody needs to know who finds the address. */
export function apiIndexRoute(version: string): Route {
  return defineRoute({
    method: 'GET',
    path: '/',
    access: 'public',
    summary: 'Tell what is here',
    response: ApiIndex,
    handle: () => ({
      name: 'Incipit',
      version,
      openapi: '/api/v1/openapi.json',
      docs: 'README.md and runtime/TEMPLATES.md of the installed program',
      health: '/healthz',
    }),
  });
}
