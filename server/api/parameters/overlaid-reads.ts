import Type from 'typebox';
import type { Actor } from '../../base/actor.ts';
import { invalid } from '../../base/errors.ts';
import type { Route } from '../route.ts';

/** Answers requests as if changes that are not committed were. */
export interface OverlaidReads {
  /** Runs work that reads content with the changes of a change set. @throws ApiError `common.notFound` */
  run<Result>(actor: Actor, changeSetId: number, work: () => Promise<Result>): Promise<Result>;
}

/** Name of the parameter; new fields of collections cannot have it. */
export const changeSetParameter = 'change_set';

/** Groups of endpoints that read no content, or the content as it is. */
const plain =
  /^\/(?:auth|backup|bundle|change-sets|changes|connections|export|openapi\.json|system|tokens|users)\b/;
/** Endpoints that read content though they take a body. */
const reading: ReadonlySet<string> = new Set(['/pages/{id}/preview', '/pages/{id}/render']);

/** The parameter of endpoints that can read with a change set. */
export const ChangeSetQuery = Type.Object({
  [changeSetParameter]: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'ID of a change set: the answer is about the content as it would be with its changes.',
    }),
  ),
});

/** Whether an endpoint reads content, and so can read it with a change set. */
export function canShowChangeSet({ method, path }: Route): boolean {
  return (method === 'GET' || reading.has(path)) && !plain.test(path);
}

/** The change set with which a request wants to read; undefined if it wants none. @throws ApiError `common.invalid` */
export function findChangeSetId(route: Route, query: URLSearchParams): number | undefined {
  const text = query.get(changeSetParameter);
  if (text === null || !canShowChangeSet(route)) return undefined;
  const id = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(id))
    throw invalid(changeSetParameter, 'must be the ID of a change set');
  return id;
}

/** A query without the parameter, for endpoints whose other parameters have names of data. */
export function withoutChangeSet(query: string): string {
  const others = new URLSearchParams(query);
  others.delete(changeSetParameter);
  return others.toString();
}
