import { refusalReason } from '../../../api/credential.ts';
import { preflight } from '../../../api/cross-origin.ts';
import type { Reply } from '../../../api/reply.ts';
import type { Actor } from '../../../base/actor.ts';
import { apiError } from '../../../base/errors.ts';
import { requireRight } from '../../../base/refusals/refusal.ts';
import type { ApiRequest } from '../../../http/api-exchange.ts';
import type { ActiveInput, ActiveWorkflows } from '../active.ts';
import type { Engine } from '../engine.ts';
import type { InputMatch } from '../input-router.ts';
import { httpMethods } from '../nodes/node-type.ts';
import { type AskedInput, InputCall } from './call.ts';

/** Most requests and deliveries in a row (Data, Automation and Operations, "Limits", webhook hop depth). */
const maxHops = 3;

export interface InputsDeps {
  readonly active: ActiveWorkflows;
  readonly engine: Engine;
  /** Whether this instance has sent a request or delivery with this ID. */
  isOwn(deliveryId: string): boolean;
}

/** Answers requests below `/flows/` (Data, Automation and Operations, "Workflows", HTTP input). */
export class HttpInputs {
  readonly #deps: InputsDeps;

  constructor(deps: InputsDeps) {
    this.#deps = deps;
  }

  /**
   * Calls `done` or `failed` once, perhaps at once.
   *
   * @param rest raw path below `/flows/`
   * @throws ApiError for a refusal
   */
  answer(rest: string, asked: AskedInput): void {
    const { active } = this.#deps;
    if (active.isReady) this.#answer(rest, asked);
    else
      active
        .ready()
        .then(() => this.#answer(rest, asked))
        .catch(asked.failed);
  }

  #answer(rest: string, asked: AskedInput): void {
    const { request, actor, done } = asked;
    const routed = this.#deps.active.inputsFor(rest);
    if (routed === undefined) throw apiError('common.notFound', {});
    const { path, matches } = routed;
    const match = matches.find(({ input }) => takes(input, request.method));
    const isPublic = match?.input.isPublic ?? matches.some(({ input }) => input.isPublic);
    const call = new InputCall(this.#deps.engine, asked, path, isPublic);
    try {
      if (match === undefined) {
        done(this.#withoutMethod(request, matches));
        return;
      }
      if (!match.input.isPublic) checkAccess(request, actor, match.input.workflow.id);
      const hop = this.#hopOf(request, match.input, actor);
      if (hop > maxHops) throw apiError('workflow.nestedTooDeep', { max: maxHops });
      call.begin(match, hop);
    } catch (error) {
      call.refuse(error);
    }
  }

  #withoutMethod({ method, headers }: ApiRequest, matches: readonly InputMatch<ActiveInput>[]): Reply {
    if (method === 'OPTIONS') {
      const open = methodsOf(matches.filter(({ input }) => input.isPublic));
      if (open.length > 0) return preflight(open, headers.get('access-control-request-headers') ?? '');
    }
    const allowed = methodsOf(matches).join(', ');
    throw apiError('common.methodNotAllowed', { method, allowed }, { headers: [['Allow', allowed]] });
  }

  /** How many requests and deliveries in a row have led to this one; 0 for what comes from outside. */
  #hopOf({ headers }: ApiRequest, { isPublic }: ActiveInput, actor: Actor): number {
    const sent = headers.get('x-ic-webhook-hop') ?? '';
    if (!/^\d{1,6}$/.test(sent)) return 0;
    const mayBelieve = isPublic
      ? this.#deps.isOwn(headers.get('x-ic-delivery') ?? '')
      : actor.kind !== 'none';
    return mayBelieve ? Number(sent) : 0;
  }
}

function takes({ method }: ActiveInput, asked: string): boolean {
  const wanted = asked === 'HEAD' ? 'GET' : asked;
  return method === wanted || (method === 'ANY' && httpMethods.some((name) => name === wanted));
}

function methodsOf(matches: readonly InputMatch<ActiveInput>[]): string[] {
  const methods = new Set(
    matches.flatMap(({ input: { method } }) => (method === 'ANY' ? [...httpMethods] : [method])),
  );
  return [...methods, ...(methods.has('GET') ? ['HEAD'] : [])].sort();
}

/**
 * The credential of a closed input: a token or a session, whose roles must allow to run it. Another website can send a GET with the session of an
 * administrator, so such a request is refused; so is one that changes something without the CSRF header.
 *
 * @throws ApiError 401, 403
 */
function checkAccess(request: ApiRequest, actor: Actor, workflow: number): void {
  const { method, headers, query } = request;
  if (actor.kind === 'none') {
    const reason = refusalReason(request, new URLSearchParams(query));
    throw apiError('auth.required', { reason }, { headers: [['WWW-Authenticate', 'Bearer']] });
  }
  const isReading = method === 'GET' || method === 'HEAD';
  if (!isReading && actor.kind === 'token' && !actor.canWrite) throw apiError('auth.readOnly', {});
  requireRight(actor.grants, 'run', { kind: 'workflow', id: workflow, workflow });
  if (actor.kind !== 'session') return;
  if (!isReading && (headers.get('x-ic-csrf') ?? '') === '') throw apiError('auth.csrf', {});
  const from = headers.get('sec-fetch-site') ?? '';
  if (isReading && (from === 'cross-site' || from === 'same-site')) throw apiError('workflow.crossSite', {});
}
