import type { Actor } from '../base/actor.ts';
import { type ApiError, apiError } from '../base/errors.ts';
import type { ApiRequest } from '../http/api-exchange.ts';
import { preflight, refusedForAllOrigins } from './cross-origin.ts';
import type { Reply } from './reply.ts';
import type { Route } from './route.ts';
import type { RouteMatch } from './router.ts';

/** Objects that are public one by one, such as collections. */
export interface PublicObjects {
  /** Path of one of them, with the placeholder that names it at the end. It stands for all paths below it too. */
  readonly path: string;
  /** Whether everyone may read the object; false if there is none. */
  isPublic(name: string): Promise<boolean>;
}

/**
 * Refusals of requests about such objects.
 *
 * - Anonymous callers get the same 404 for one that is not public and for a name that does not exist, whatever they
 *   ask. Answers of success need no rule here: the handlers check what they give.
 * - Pages of all origins may read refusals about a public one, and their preflight requests are answered.
 */
export class PublicObjectRefusals {
  readonly #objects: readonly { readonly of: PublicObjects; readonly placeholder: string }[];

  constructor(objects: readonly PublicObjects[]) {
    // The longest path decides: a working copy is not public where its object is.
    this.#objects = [...objects]
      .sort((left, right) => right.path.length - left.path.length)
      .map((of) => ({ of, placeholder: /\{(\w+)\}$/.exec(of.path)?.[1] ?? '' }));
  }

  /** Whether the public object of a path decides about its refusals; undefined for all other paths. */
  find({ methods, params }: RouteMatch<{ readonly route: Route }>): (() => Promise<boolean>) | undefined {
    const [endpoint] = methods.values();
    const found = this.#objects.find(({ of }) => `${endpoint?.route.path}/`.startsWith(`${of.path}/`));
    return found && (() => found.of.isPublic(params.get(found.placeholder) ?? ''));
  }

  /**
   * What is sent in place of an error.
   *
   * @throws ApiError the error that the caller may know
   */
  async answer(
    error: ApiError,
    isPublic: () => Promise<boolean>,
    { actor, request, match }: RefusedRequest,
  ): Promise<Reply> {
    if (!(await isPublic())) throw actor.kind === 'none' ? apiError('common.notFound', {}) : error;
    const isReadable = match.methods.get('GET')?.route.access === 'public';
    if (request.method === 'OPTIONS' && isReadable)
      return preflight(['GET', 'HEAD'], request.headers.get('access-control-request-headers') ?? '');
    throw error.withHeaders(refusedForAllOrigins);
  }
}

interface RefusedRequest {
  readonly actor: Actor;
  readonly request: ApiRequest;
  readonly match: RouteMatch<{ readonly route: Route }>;
}
