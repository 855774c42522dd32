import Type, { type TSchema } from 'typebox';
import { type ErrorCode, errorCodes, errorStatus } from '../errors.ts';
import { jsonType, Reply } from './reply.ts';
import { type Access, defineRoute, type Route } from './route.ts';
import { propertiesOf } from './schema-parts.ts';

/** A node of the document. Tests check the whole document against the schema of OpenAPI. */
type Node = Readonly<Record<string, unknown>>;

/**
 * `GET /openapi.json`: OpenAPI 3.1 of every endpoint in `routes` and of itself, generated from the route
 * table that answers requests. Built at the first request and kept.
 *
 * @param version version of the service
 */
export function openApiRoute(routes: readonly Route[], version: string): Route {
  let document: string | undefined;
  const route: Route = defineRoute({
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    summary: 'Describe the API (OpenAPI 3.1)',
    response: Type.Object({
      openapi: Type.String(),
      info: Type.Object({ title: Type.String(), version: Type.String(), description: Type.String() }),
      servers: Type.Array(Type.Object({ url: Type.String() })),
      tags: Type.Array(Type.Object({ name: Type.String() })),
      paths: Type.Record(Type.String(), Type.Unknown()),
      components: Type.Record(Type.String(), Type.Unknown()),
    }),
    handle: () => {
      document ??= JSON.stringify(describeApi([...routes, route], version));
      return Reply.text(document, jsonType);
    },
  });
  return route;
}

function describeApi(routes: readonly Route[], version: string): Node {
  const paths = Map.groupBy(routes, (route) => route.path);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Incipit',
      version,
      description:
        'Every GET endpoint answers HEAD too. Unknown fields of a body are ignored. Times are Unix seconds.',
    },
    servers: [{ url: '/api/v1' }],
    tags: [...new Set(routes.map(tagOf))].sort().map((name) => ({ name })),
    paths: Object.fromEntries(
      [...paths].map(([path, ofPath]) => [
        path,
        Object.fromEntries(ofPath.map((route) => [route.method.toLowerCase(), describeRoute(route)])),
      ]),
    ),
    components,
  };
}

function describeRoute(route: Route): Node {
  return {
    operationId: operationId(route),
    summary: route.summary,
    tags: [tagOf(route)],
    security: securityOf(route),
    parameters: [
      ...parametersOf('path', route.params),
      ...parametersOf('query', route.query),
      ...(route.access === 'write' && changesSomething(route)
        ? [{ $ref: '#/components/parameters/on-behalf-of' }]
        : []),
    ],
    ...(route.body === undefined ? {} : { requestBody: requestBody(route, route.body) }),
    responses: { ...successOf(route), ...failuresOf(route) },
  };
}

/** The feature: the first segment of the path. */
function tagOf(route: Route): string {
  return route.path.split(/[/.]/)[1] ?? '';
}

/** `GET /pages/{id}/assets` is `getPagesIdAssets`. */
function operationId({ method, path }: Route): string {
  const words = path.match(/[A-Za-z0-9]+/g) ?? [];
  return [method.toLowerCase(), ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join(
    '',
  );
}

function changesSomething({ method }: Route): boolean {
  return method !== 'GET';
}

// --- request ---------------------------------------------------------------------------------------------

/** Alternatives. Each names the credentials that are needed together (Core, "Authentication" 2, 5, 6). */
function securityOf(route: Route): Node[] {
  const session = changesSomething(route) ? { session: [], csrf: [] } : { session: [] };
  const tokens = changesSomething(route) ? [{ bearer: [] }] : [{ bearer: [] }, { queryToken: [] }];
  const alternatives: Record<Access, Node[]> = {
    public: [],
    read: [...tokens, session],
    write: [...tokens, session],
    admin: [session],
  };
  return alternatives[route.access];
}

function parametersOf(place: 'path' | 'query', schema: TSchema | undefined): Node[] {
  const required = requiredOf(schema);
  return [...(propertiesOf(schema) ?? [])].map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function requestBody(route: Route, schema: TSchema): Node {
  const content = { [route.form === undefined ? 'application/json' : 'multipart/form-data']: { schema } };
  return { required: route.bodyOptional !== true, content };
}

function requiredOf(schema: TSchema | undefined): readonly unknown[] {
  const required: unknown = schema === undefined ? undefined : Reflect.get(schema, 'required');
  return Array.isArray(required) ? required : [];
}

// --- answers ---------------------------------------------------------------------------------------------

function successOf(route: Route): Node {
  if (route.response === undefined) return { [route.status ?? 204]: { description: 'Done', headers } };
  const content = { [route.produces ?? 'application/json']: { schema: route.response } };
  return { [route.status ?? 200]: { description: route.summary, headers, content } };
}

/** Errors of the checks before the handler, and errors that the route declares. */
function failuresOf(route: Route): Node {
  const codes = new Set<ErrorCode>([...failuresOfAccess(route), ...(route.errors ?? [])]);
  if (route.query !== undefined) codes.add('common.invalid');
  if (route.params !== undefined) codes.add('common.notFound');
  if (route.body !== undefined) {
    for (const code of bodyFailures) codes.add(code);
    if (propertiesOf(route.body)?.has('base_updated_at')) codes.add('common.conflict');
  }
  const ofStatus = Map.groupBy([...codes].sort(), errorStatus);
  const answers = [...ofStatus].map(([status, ofOne]) => [status, failure(status, ofOne)] as const);
  return { ...Object.fromEntries(answers), default: { $ref: '#/components/responses/error' } };
}

const bodyFailures: readonly ErrorCode[] = [
  'common.invalidJson',
  'common.invalid',
  'common.tooLarge',
  'common.contentType',
];

function failuresOfAccess({ access, method }: Route): ErrorCode[] {
  if (access === 'public') return ['common.rateLimited'];
  const codes: ErrorCode[] = ['common.rateLimited', 'auth.required'];
  if (access === 'admin') codes.push('auth.sessionRequired');
  if (access === 'write') codes.push('auth.readOnly', 'common.busy');
  if (method !== 'GET') codes.push('auth.csrf');
  return codes;
}

function failure(status: number, codes: readonly ErrorCode[]): Node {
  const schema = { $ref: `#/components/schemas/${codes.includes('common.conflict') ? 'conflict' : 'error'}` };
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: status === 429 || status === 503 ? { ...headers, 'Retry-After': retryAfter } : headers,
    content: { 'application/json': { schema } },
  };
}

// --- shared by all endpoints -----------------------------------------------------------------------------

const headers = { 'X-IC-Build': { $ref: '#/components/headers/build' } };
const retryAfter = { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } };

const errorProperties = {
  error: { type: 'string', description: 'English text for humans' },
  code: { type: 'string', description: 'Stable, never renamed', enum: errorCodes },
  params: { type: 'object', description: 'Variable parts of the text' },
};

const components = {
  headers: {
    build: { description: 'Build of the embedded admin', required: true, schema: { type: 'string' } },
  },
  parameters: {
    'on-behalf-of': {
      name: 'X-IC-On-Behalf-Of',
      in: 'header',
      description: 'The person a token writes for, percent-encoded; at most 100 characters',
      schema: { type: 'string' },
    },
  },
  responses: {
    error: {
      description: 'Any other refusal',
      headers,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/error' } } },
    },
  },
  schemas: {
    error: { type: 'object', required: ['error'], properties: errorProperties },
    conflict: {
      type: 'object',
      required: ['error', 'code'],
      properties: {
        ...errorProperties,
        conflict: { const: true, description: 'With `common.conflict`' },
        updated_at: { type: 'integer', description: 'Of the object now, with `common.conflict`' },
      },
    },
  },
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', description: 'API token or master token' },
    queryToken: {
      type: 'apiKey',
      in: 'query',
      name: 'token',
      description: 'API token, for GET and HEAD only',
    },
    session: { type: 'apiKey', in: 'cookie', name: 'ic_session', description: 'Session of an administrator' },
    csrf: { type: 'apiKey', in: 'header', name: 'X-IC-CSRF', description: 'Any text that is not empty' },
  },
};
