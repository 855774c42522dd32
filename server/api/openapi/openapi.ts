import { createHash } from 'node:crypto';
import Type, { type TSchema } from 'typebox';
import { eventStreamType } from '../../http/body/events.ts';
import { findProperties } from '../json-schema.ts';
import { ChangeSetQuery, canShowChangeSet } from '../parameters/overlaid-reads.ts';
import { CheckQuery, mayCheckPages } from '../parameters/page-check.ts';
import { Reply } from '../reply.ts';
import { type Access, defineRoute, type Route } from '../route.ts';
import type { VersionNotice } from '../version-notice.ts';
import { type DocumentNode, describeFailures, errorSchemas, headers } from './failures.ts';
import { NamedSchemas } from './named-schemas.ts';

export interface ApiDescription {
  readonly version: VersionNotice;
  /** What each group of endpoints is about, by the first segment of their paths. */
  readonly tags: ReadonlyMap<string, string>;
}

/**
 * `GET /openapi.json`: OpenAPI 3.1 of every endpoint in `routes` and of itself, generated from the route
 * table that answers requests. Built at the first request and kept, for callers who see the version and for others.
 */
export function openApiRoute(routes: readonly Route[], description: ApiDescription): Route {
  const known = new Map<string, Reply>();
  const replyOf = (version: string): Reply => {
    const document = describeApi([...routes, route], { ...description, version });
    const tag = createHash('sha256').update(JSON.stringify(document)).digest('base64url').slice(0, 22);
    return Reply.fixedJson(document, [
      ['ETag', `"${tag}"`],
      ['Cache-Control', 'private, no-cache'],
    ]);
  };
  const route: Route = defineRoute({
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    needs: 'nothing',
    summary: 'Describe the API (OpenAPI 3.1)',
    response: OpenApiDocument,
    handle: ({ actor }) => {
      // The document must have one.
      const version = description.version.shownTo(actor) || 'v1';
      const reply = known.get(version) ?? replyOf(version);
      known.set(version, reply);
      return reply;
    },
  });
  return route;
}

const OpenApiDocument = Type.Object(
  {
    openapi: Type.String({ description: 'Version of OpenAPI.' }),
    info: Type.Record(Type.String(), Type.Unknown(), { description: 'What is described.' }),
    servers: Type.Array(Type.Unknown(), { description: 'Where the API is.' }),
    tags: Type.Array(Type.Unknown(), { description: 'Groups of endpoints.' }),
    paths: Type.Record(Type.String(), Type.Unknown(), { description: 'The endpoints by path.' }),
    components: Type.Record(Type.String(), Type.Unknown(), { description: 'Parts that endpoints share.' }),
  },
  { title: 'OpenApiDocument', description: 'This document.' },
);

function describeApi(
  routes: readonly Route[],
  { version, tags }: Omit<ApiDescription, 'version'> & { readonly version: string },
): DocumentNode {
  const schemas = new NamedSchemas();
  const paths = Map.groupBy(routes, (route) => route.path);
  const described = Object.fromEntries(
    [...paths].map(([path, ofPath]) => [
      path,
      Object.fromEntries(ofPath.map((route) => [route.method.toLowerCase(), describeRoute(route, schemas)])),
    ]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Incipit',
      version,
      description:
        'Every GET endpoint answers HEAD too. Unknown fields of a body are ignored, and texts that cannot work are saved with `warnings`; `strict=1` refuses both. Times are Unix seconds.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The administrator of this instance' },
    },
    servers: [{ url: '/api/v1' }],
    tags: [...new Set(routes.map(tagOf))].sort().map((name) => ({ name, description: tags.get(name) ?? '' })),
    paths: described,
    components: { ...components, schemas: { ...errorSchemas(schemas), ...schemas.all() } },
  };
}

function describeRoute(route: Route, schemas: NamedSchemas): DocumentNode {
  return {
    operationId: operationId(route),
    summary: route.summary,
    description: accessTexts[route.access],
    tags: [tagOf(route)],
    security: securityOf(route),
    parameters: [
      ...parametersOf('path', route.params),
      ...parametersOf('query', route.query ?? route.describedQuery),
      ...(route.access === 'write' && changesSomething(route)
        ? [{ $ref: '#/components/parameters/on-behalf-of' }]
        : []),
      ...(mayCheckPages(route) ? [{ $ref: '#/components/parameters/check' }] : []),
      ...(canShowChangeSet(route) ? [{ $ref: '#/components/parameters/change_set' }] : []),
    ],
    ...(takesBody(route) ? { requestBody: requestBody(route, route.body && schemas.refer(route.body)) } : {}),
    responses: { ...successOf(route, schemas), ...describeFailures(route) },
  };
}

/** Core, "Access overview". */
const accessTexts: Readonly<Record<Access, string>> = {
  public: 'For everyone.',
  read: 'For admin sessions and all tokens.',
  write: 'For admin sessions and tokens that may write.',
  admin: 'For admin sessions only.',
};

/** The feature: the first segment of the path. */
function tagOf(route: Route): string {
  return route.path.split(/[/.]/)[1] || 'api';
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
function securityOf(route: Route): DocumentNode[] {
  const session = changesSomething(route) ? { session: [], csrf: [] } : { session: [] };
  const tokens = changesSomething(route) ? [{ bearer: [] }] : [{ bearer: [] }, { queryToken: [] }];
  const alternatives: Record<Access, DocumentNode[]> = {
    public: [],
    read: [...tokens, session],
    write: [...tokens, session],
    admin: [session],
  };
  return alternatives[route.access];
}

function parametersOf(place: 'path' | 'query', schema: TSchema | undefined): DocumentNode[] {
  const required = requiredOf(schema);
  return [...(findProperties(schema) ?? [])].map(([name, property]) => {
    const { description, ...rest } = Object(property);
    return {
      name,
      in: place,
      description,
      required: place === 'path' || required.includes(name),
      schema: rest,
    };
  });
}

function takesBody({ body, upload, uploadTypes }: Route): boolean {
  return [body, upload, uploadTypes].some((given) => given !== undefined);
}

function requestBody(route: Route, schema: unknown): DocumentNode {
  const content = {
    ...(schema === undefined
      ? {}
      : { [route.form === undefined ? 'application/json' : 'multipart/form-data']: { schema } }),
    ...(route.upload === undefined ? {} : { 'multipart/form-data': { schema: route.upload } }),
    ...Object.fromEntries((route.uploadTypes ?? []).map((type) => [type, { schema: binary }])),
  };
  return { required: route.bodyOptional !== true, content };
}

/** A body that is a file. */
const binary = { type: 'string', format: 'binary' } as const;

function requiredOf(schema: TSchema | undefined): readonly unknown[] {
  const required: unknown = schema === undefined ? undefined : Reflect.get(schema, 'required');
  return Array.isArray(required) ? required : [];
}

// --- answers ---------------------------------------------------------------------------------------------

function successOf(route: Route, schemas: NamedSchemas): DocumentNode {
  if (route.response === undefined) return { [route.status ?? 204]: { description: 'Done', headers } };
  const content = {
    [route.produces ?? 'application/json']: { schema: schemas.refer(route.response) },
    ...(route.fileType === undefined
      ? {}
      : { [route.fileType]: { schema: { type: 'string', format: 'binary' } } }),
    ...(route.events === undefined
      ? {}
      : { [eventStreamType]: { schema: { type: 'string', description: route.events.about } } }),
  };
  const answer = {
    description: route.summary,
    headers: route.countsAll === true ? { ...headers, 'X-Total-Count': totalCount } : headers,
    content,
  };
  const { status = 200, otherStatus = status } = route;
  const unchanged = { '304': { description: 'The same as `If-None-Match` names', headers } };
  const other = otherStatus === 204 ? { description: 'Done', headers } : answer;
  return { [status]: answer, [otherStatus]: other, ...(route.isTagged === true ? unchanged : {}) };
}

// --- shared by all endpoints -----------------------------------------------------------------------------

const totalCount = {
  description: 'Number of all that fit, if the list may be a part of them',
  schema: { type: 'integer', minimum: 0 },
};
const components = {
  headers: {
    build: { description: 'Build of the embedded admin', required: true, schema: { type: 'string' } },
  },
  parameters: {
    ...Object.fromEntries(
      [CheckQuery, ChangeSetQuery]
        .flatMap((schema) => parametersOf('query', schema))
        .map((parameter) => [String(parameter['name']), parameter]),
    ),
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
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
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
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'ic_session',
      description: 'Session of a user; over a secure connection the cookie is `__Host-ic_session`',
    },
    csrf: { type: 'apiKey', in: 'header', name: 'X-IC-CSRF', description: 'Any text that is not empty' },
  },
};
