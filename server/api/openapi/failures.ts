/** How the document describes refusals: those of an endpoint, and their forms. */
import { type ErrorCode, errorCodes, errorStatus } from '../../base/errors.ts';
import { Warning } from '../../base/warnings.ts';
import { findProperties } from '../json-schema.ts';
import { mayCheckPages } from '../parameters/page-check.ts';
import type { Route } from '../route.ts';
import type { NamedSchemas } from './named-schemas.ts';

/** A node of the document. Tests check the whole document against the schema of OpenAPI. */
export type DocumentNode = Readonly<Record<string, unknown>>;

/** Of every answer. */
export const headers = { 'X-IC-Build': { $ref: '#/components/headers/build' } };
const retryAfter = { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } };

/** Errors of the checks before the handler, and errors that the route declares. */
export function describeFailures(route: Route): DocumentNode {
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

function failure(status: number, codes: readonly ErrorCode[]): DocumentNode {
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

const errorProperties = {
  error: { type: 'string', description: 'English text for humans' },
  code: { type: 'string', description: 'Stable, never renamed', enum: errorCodes },
  params: { type: 'object', description: 'Variable parts of the text' },
};

/** The schemas of all refusals, by their names. */
export function errorSchemas(schemas: NamedSchemas): DocumentNode {
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
