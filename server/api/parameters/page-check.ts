import Type from 'typebox';
import type { PageCheckRequest } from '../../base/actor.ts';
import { invalid } from '../../base/errors.ts';
import { jsonType, Reply } from '../reply.ts';
import type { Route } from '../route.ts';

/** The parameter of routes that may change content. */
export const CheckQuery = Type.Object({
  check: Type.Optional(
    Type.Literal('pages', {
      description:
        'Render the pages that the change touches before it is committed, and refuse it if one would fail that does not fail now (`content.breaksPages`). The response then has `pages_checked`, false if the time was not enough.',
    }),
  ),
});

/** Whether `?check=pages` counts for a route: it may change content. */
export function mayCheckPages({ method, access, takeOver }: Route): boolean {
  return access === 'write' && takeOver === undefined && method !== 'GET';
}

/** The check that a request asks for. @throws ApiError `common.invalid` */
export function readPageCheck(route: Route, query: URLSearchParams): PageCheckRequest | undefined {
  const check = query.get('check');
  if (check === null || !mayCheckPages(route)) return undefined;
  if (check !== 'pages') throw invalid('check', 'must be pages');
  return { isComplete: true };
}

/** The result of a handler with `pages_checked`, if it is an object that is sent as JSON. */
export function addPageCheck(result: unknown, { isComplete }: PageCheckRequest): unknown {
  if (!(result instanceof Reply))
    return isPlainObject(result) ? { ...result, pages_checked: isComplete } : result;
  const { body, status, headers } = result;
  if (typeof body !== 'string' || !headers.some(([, value]) => value === jsonType)) return result;
  const value: unknown = JSON.parse(body);
  if (!isPlainObject(value)) return result;
  const others = headers.filter(([, type]) => type !== jsonType);
  return Reply.json({ ...value, pages_checked: isComplete }, { status, headers: others });
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
