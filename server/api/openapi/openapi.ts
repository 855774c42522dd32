import { createHash } from 'node:crypto';
import Type, { type TSchema } from 'typebox';
import { type ErrorCode, errorCodes, errorStatus } from '../../base/errors.ts';
import { Warning } from '../../base/warnings.ts';
import { eventStreamType } from '../../http/body/events.ts';
import { findProperties } from '../json-schema.ts';
import { ChangeSetQuery, canShowChangeSet } from '../parameters/overlaid-reads.ts';
import { CheckQuery, mayCheckPages } from '../parameters/page-check.ts';
import { Reply } from '../reply.ts';
import { type Access, defineRoute, type Route } from '../route.ts';
import type { VersionNotice } from '../version-notice.ts';
import { NamedSchemas } from './named-schemas.ts';

/** A node of the document. Tests check the whole document against the schema of OpenAPI. */
type Node = Readonly<Record<string, unknown>>;

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
): Node {
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

function describeRoute(route: Route, schemas: NamedSchemas): Node {
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
    responses: { ...successOf(route, schemas), ...failuresOf(route) },
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

function requestBody(route: Route, schema: unknown): Node {
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

function successOf(route: Route, schemas: NamedSchemas): Node {
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

/** Errors of the checks before the handler, and errors that the route declares. */
function failuresOf(route: Route): Node {
  const codes = new Set<ErrorCode>([...failuresOfAccess(route), ...(route.errors ?? [])]);
  if (route.query !== undefined) codes.add('common.invalid');
  if (route.params !== undefined) codes.add('common.notFound');
  if (route.body !== undefined) {
    for (const code of bodyFailures) codes.add(code);
    if (findProperties(route.body)?.has('base_updated_at')) codes.add('common.conflict');
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

function failuresOfAccess(route: Route): ErrorCode[] {
  const { access, method } = route;
  if (access === 'public') return ['common.rateLimited'];
  const codes: ErrorCode[] = ['common.rateLimited', 'auth.required'];
  // Whoever must set up a factor first is refused everything else.
  codes.push('auth.notAllowed');
  if (route.isSensitive === true) codes.push('auth.confirm');
  if (access === 'admin') codes.push('auth.sessionRequired');
  if (access === 'write') codes.push('auth.readOnly', 'common.busy', 'common.outcomeUnknown');
  if (mayCheckPages(route)) codes.push('content.breaksPages');
  if (method !== 'GET') codes.push('auth.csrf');
  return codes;
}

function failure(status: number, codes: readonly ErrorCode[]): Node {
  const [, name = 'Error'] = errorForms.find(([code]) => codes.includes(code)) ?? [];
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: status === 429 || status === 503 ? { ...headers, 'Retry-After': retryAfter } : headers,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  };
}

/** Errors with more members than others, and the schemas of their answers. */
const errorForms: readonly (readonly [ErrorCode, string])[] = [
  ['common.conflict', 'Conflict'],
  ['template.invalid', 'InvalidTexts'],
];

// --- shared by all endpoints -----------------------------------------------------------------------------

const headers = { 'X-IC-Build': { $ref: '#/components/headers/build' } };
const totalCount = {
  description: 'Number of all that fit, if the list may be a part of them',
  schema: { type: 'integer', minimum: 0 },
};
const retryAfter = { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } };

const errorProperties = {
  error: { type: 'string', description: 'English text for humans' },
  code: { type: 'string', description: 'Stable, never renamed', enum: errorCodes },
  params: { type: 'object', description: 'Variable parts of the text' },
};

function errorSchemas(schemas: NamedSchemas): Node {
  const required = ['error', 'code'];
  return {
    Error: {
      type: 'object',
      description: 'Why a request was refused.',
      required: ['error'],
      properties: errorProperties,
      examples: [
        {
          error: 'title must not be empty',
          code: 'common.invalid',
          params: { field: 'title', reason: 'must not be empty' },
        },
      ],
    },
    Conflict: {
      type: 'object',
      description: 'A refusal because of the state of objects.',
      required,
      properties: {
        ...errorProperties,
        conflict: { const: true, description: 'With `common.conflict`' },
        updated_at: { type: 'integer', description: 'Of the object now, with `common.conflict`' },
      },
    },
    InvalidTexts: {
      type: 'object',
      description: 'A refusal because of texts that cannot work (`strict=1`), or of pages that would fail.',
      required,
      properties: {
        ...errorProperties,
        warnings: {
          type: 'array',
          items: schemas.refer(Warning),
          description: 'All findings about the object, with `template.invalid`',
        },
      },
    },
  };
}

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
