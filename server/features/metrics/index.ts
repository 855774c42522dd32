import type { Registry } from 'prom-client';
import type { Feature } from '../../feature.ts';
import { resolveClient } from '../../http/client-address.ts';
import { nothingThere, textHeaders } from '../../http/plain-answers.ts';
import type { PublicHandler, PublicRequest, PublicResponse } from '../../http/public-exchange.ts';
import type { Auth } from '../auth/service.ts';
import { createRegistry, type MetricsSources } from './registry.ts';

interface MetricsDeps extends MetricsSources {
  readonly auth: Pick<Auth, 'authenticate'>;
}

/**
 * `GET /metrics`: figures for Prometheus, for callers on this machine and for callers with a credential that
 * may read. The registry is made at the first request, because watching the event loop costs a little time.
 */
export function metricsFeature(deps: MetricsDeps): Feature {
  let registry: Registry | undefined;
  const metrics: PublicHandler = async (request) => {
    if (request.path !== '/metrics') return nothingThere;
    const isLocal = isFromThisMachine(request);
    if (!isLocal && !(await mayRead(deps.auth, request))) return unauthorized;
    registry ??= createRegistry(deps);
    const body = await registry.metrics();
    return { status: '200 OK', headers: [['Content-Type', registry.contentType], ...headers], body };
  };
  return { addresses: { metrics }, close: async () => registry?.clear() };
}

/**
 * A proxy on this machine connects from a loopback address too, for clients from anywhere. So a request with a
 * header of a proxy is not from here.
 */
function isFromThisMachine(request: PublicRequest): boolean {
  const isForwarded = proxyHeaders.some((name) => request.header(name) !== '');
  return !isForwarded && isLoopback(resolveClient(request.peer(), '').address);
}

const proxyHeaders = [
  'forwarded',
  'via',
  'x-real-ip',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
] as const;

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

async function mayRead(auth: MetricsDeps['auth'], request: PublicRequest): Promise<boolean> {
  const { method, host, scheme, query } = request;
  const headers = new Map(
    ['authorization', 'cookie'].flatMap((name) => {
      const value = request.header(name);
      return value === '' ? [] : [[name, value] as const];
    }),
  );
  const actor = await auth.authenticate({ method, host, scheme, headers }, new URLSearchParams(query));
  return actor.kind !== 'none';
}

const headers: PublicResponse['headers'] = [['Cache-Control', 'no-store']];

const unauthorized: PublicResponse = {
  status: '401 Unauthorized',
  headers: [...textHeaders, ['WWW-Authenticate', 'Bearer']],
  body: 'Send the header "Authorization: Bearer <token>"\n',
};
