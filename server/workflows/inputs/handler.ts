import type { Actor } from '../../actor.ts';
import { ApiError, apiError } from '../../errors.ts';
import type { ApiRequest } from '../../http/api.ts';
import { refusalReason } from '../../http/credential.ts';
import { Reply } from '../../http/reply.ts';
import type { ActiveInput, ActiveWorkflows } from '../active.ts';
import type { Engine } from '../engine.ts';
import { httpMethods } from '../nodes/node-type.ts';
import type { RunOutcome } from '../run/runner.ts';
import { forAllOrigins, type Headers, preflight, replyTo } from './answer.ts';
import { bytesOf, messageOf } from './request.ts';
import type { InputMatch } from './router.ts';

/** Most requests and deliveries in a row (Data, Automation and Operations, "Limits", webhook hop depth). */
const maxHops = 3;
const noHeaders: Headers = [];
/** Until the answer, in milliseconds (Data, Automation and Operations, "Limits"). */
const timeLimitMs = 30_000;

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
   * @param rest raw path below `/flows/`
   * @throws ApiError for a refusal
   */
  async answer(request: ApiRequest, rest: string, actor: Actor): Promise<Reply> {
    if (!this.#deps.active.isReady) await this.#deps.active.ready();
    const routed = this.#deps.active.inputsFor(rest);
    if (routed === undefined) throw apiError('common.notFound', {});
    const { path, matches } = routed;
    const match = matches.find(({ input }) => takes(input, request.method));
    const isPublic = match?.input.isPublic ?? matches.some(({ input }) => input.isPublic);
    const cors = isPublic ? forAllOrigins : noHeaders;
    try {
      if (match === undefined) return this.#withoutMethod(request, matches);
      const { input, params } = match;
      if (!input.isPublic) checkAccess(request, actor);
      const hop = this.#hopOf(request, input, actor);
      if (hop > maxHops) throw apiError('workflow.nestedTooDeep', { max: maxHops });
      const made = messageOf(request, await bytesOf(request), path, params);
      const message = made instanceof Promise ? await made : made;
      const { workflow, node } = input;
      const run = this.#deps.engine.start({ workflow, node, message, trigger: 'http', timeLimitMs, hop });
      const response = await run.response;
      return await (response === undefined
        ? withoutResponse(await run.end, actor, cors)
        : replyTo(response, cors));
    } catch (error) {
      if (!(error instanceof ApiError) || !isPublic) throw error;
      return Reply.json(error.toBody(), { status: error.status, headers: [...error.headers, ...cors] });
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

/** The answer of a run without a response. @throws ApiError `workflow.failed` */
function withoutResponse({ status, error }: RunOutcome, actor: Actor, headers: Headers): Reply {
  if (status === 'ok') return Reply.empty({ headers });
  if (actor.kind === 'none') throw apiError('workflow.failed', {});
  return Reply.json({ error }, { status: 500, headers });
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
 * The credential of a closed input: a token or a session. Another website can send a GET with the session of an
 * administrator, so such a request is refused; so is one that changes something without the CSRF header.
 *
 * @throws ApiError 401, 403
 */
function checkAccess(request: ApiRequest, actor: Actor): void {
  const { method, headers, query } = request;
  if (actor.kind === 'none') {
    const reason = refusalReason(request, new URLSearchParams(query));
    throw apiError('auth.required', { reason }, { headers: [['WWW-Authenticate', 'Bearer']] });
  }
  const isReading = method === 'GET' || method === 'HEAD';
  if (!isReading && actor.kind === 'token' && !actor.canWrite) throw apiError('auth.readOnly', {});
  if (actor.kind !== 'session') return;
  if (!isReading && (headers.get('x-ic-csrf') ?? '') === '') throw apiError('auth.csrf', {});
  const from = headers.get('sec-fetch-site') ?? '';
  if (isReading && (from === 'cross-site' || from === 'same-site')) throw apiError('workflow.crossSite', {});
}
