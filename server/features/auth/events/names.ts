/** The names of events, by the routes whose success they record. */
export const authEventNames = [
  'auth.login',
  'auth.failure',
  'auth.lock',
  'auth.factor',
  'auth.session',
  'auth.token',
  'auth.role',
  'auth.user',
  'auth.password',
  'auth.invitation',
  'auth.oidc',
  'auth.confirm',
] as const;

export type AuthEventName = (typeof authEventNames)[number];

/** Begins of routes, the longest first; the first that fits counts. GET records nothing but where it stands here. */
const eventsOfRoutes: readonly (readonly [begin: string, event: AuthEventName])[] = [
  ['POST /auth/setup', 'auth.login'],
  ['POST /auth/login', 'auth.login'],
  ['POST /auth/passkeys', 'auth.login'],
  ['POST /auth/invitation', 'auth.login'],
  ['GET /auth/oidc/callback', 'auth.login'],
  ['POST /auth/logout', 'auth.session'],
  ['DELETE /auth/sessions', 'auth.session'],
  ['POST /auth/password', 'auth.password'],
  ['POST /auth/confirm', 'auth.confirm'],
  ['POST /auth/factors', 'auth.factor'],
  ['DELETE /auth/factors', 'auth.factor'],
  ['DELETE /users/{id}/factors', 'auth.factor'],
  ['PUT /users/{id}/password', 'auth.password'],
  ['POST /users/{id}/invitation', 'auth.invitation'],
  ['POST /users', 'auth.user'],
  ['PUT /users', 'auth.user'],
  ['DELETE /users', 'auth.user'],
  ['POST /tokens', 'auth.token'],
  ['DELETE /tokens', 'auth.token'],
  ['POST /roles', 'auth.role'],
  ['PUT /roles', 'auth.role'],
  ['DELETE /roles', 'auth.role'],
  ['PUT /system/oidc', 'auth.oidc'],
];

/** Steps that only prepare something, and change nothing by themselves. */
const preparing = new Set(['POST /auth/passkeys/options', 'POST /auth/factors/passkeys/options']);

/** The event that a route records when it succeeds; undefined for most routes. */
export function findEventOfRoute(method: string, path: string): AuthEventName | undefined {
  const route = `${method} ${path}`;
  if (preparing.has(route)) return undefined;
  return eventsOfRoutes.find(([begin]) => route === begin || route.startsWith(`${begin}/`))?.[1];
}
