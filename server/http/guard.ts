import type { ApiError } from '../base/errors.ts';
import { busy } from '../base/errors.ts';
import type { ApiHandler, PlainApiResponse, ReadyHandler } from './api-exchange.ts';
import { textHeaders } from './plain-answers.ts';
import type { PublicHandler, PublicResponse } from './public-exchange.ts';

/** The handlers of all requests. */
interface Handlers {
  readonly api: ApiHandler;
  readonly ready: ReadyHandler;
  readonly delivery: PublicHandler;
}

/** Addresses that a node answers without a lease, because they tell of it. */
const always: ReadonlySet<string> = new Set(['/healthz', '/metrics']);

/** Whether a node may answer. */
interface Lease {
  serves(): boolean;
  /** Resolves at once, or when a node that stood still has renewed its lease. */
  willServe(): Promise<boolean>;
}

/**
 * The same handlers for a node of several: without a lease it answers 503, because others may have changed what it
 * would show. The lease is looked at before anything is read.
 */
export function guarded(
  lease: Lease,
  refuse: (error: ApiError) => PlainApiResponse,
  { api, ready, delivery }: Handlers,
): Handlers {
  return {
    api(request, answer) {
      if (lease.serves()) return api(request, answer);
      void lease.willServe().then((serves) => (serves ? api(request, answer) : answer(refuse(busy(1)))));
      return undefined;
    },
    ready: (request) => (lease.serves() ? ready(request) : undefined),
    delivery(request) {
      if (lease.serves() || always.has(request.path)) return delivery(request);
      return lease.willServe().then((serves) => (serves ? delivery(request) : unavailable));
    },
  };
}

const unavailable: PublicResponse = {
  status: '503 Service Unavailable',
  headers: [...textHeaders, ['Retry-After', '1'], ['Cache-Control', 'no-store']],
  body: 'This server is catching up, please try again\n',
};
