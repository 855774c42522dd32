import type { Adapter } from './adapters/adapter.ts';
import { NeutralAdapter } from './adapters/neutral.ts';
import { NocodbAdapter } from './adapters/nocodb/index.ts';
import { isDescription } from './adapters/postgrest/description.ts';
import { descriptionRequest, PostgrestAdapter } from './adapters/postgrest/index.ts';
import { textIn } from './adapters/reading.ts';
import type { CallScope, ServiceAnswer, ServiceClient, ServiceRequest } from './service-client.ts';

/** How a kind of service is told from the others: by its answer to one request. */
interface Recognition {
  readonly request: ServiceRequest;
  matches(answer: ServiceAnswer): boolean;
  readonly Adapter: new (client: ServiceClient) => Adapter;
}

const versionRequest = { path: '/api/v1/version' } as const;
/** NocoDB's own service answers the other request with a text. */
const infoRequest = { path: '/api/v2/meta/nocodb/info' } as const;

/** In this order. Entries with the same request share one. */
const recognitions: readonly Recognition[] = [
  {
    request: versionRequest,
    matches: ({ status, body }) => status === 200 && textIn(body, 'version') !== '',
    Adapter: NeutralAdapter,
  },
  {
    request: versionRequest,
    matches: ({ status, body }) => status === 200 && textIn(body, 'currentVersion') !== '',
    Adapter: NocodbAdapter,
  },
  {
    request: infoRequest,
    matches: ({ status, body }) => status === 200 && textIn(body, 'version') !== '',
    Adapter: NocodbAdapter,
  },
  {
    request: descriptionRequest,
    matches: ({ status, body }) => status === 200 && isDescription(body),
    Adapter: PostgrestAdapter,
  },
];

/**
 * Finds out which kind of service a connection leads to.
 *
 * @throws ApiError `extdb.failed`
 */
export async function recognise(client: ServiceClient, scope: CallScope): Promise<Adapter> {
  const { token } = client.connection;
  const asked = client.with(token === '' ? {} : { Authorization: `Bearer ${token}` });
  const answers = new Map<ServiceRequest, ServiceAnswer>();
  for (const { request, matches, Adapter } of recognitions) {
    const answer = answers.get(request) ?? (await asked.send(request, scope));
    answers.set(request, answer);
    if (matches(answer)) return new Adapter(client);
  }
  // A service that refuses the token says so, which is worth more than that it is none of these.
  for (const answer of answers.values())
    if (answer.status === 401 || answer.status === 403 || answer.status >= 500) client.succeeded(answer);
  throw client.failed('it is neither NocoDB nor PostgREST, and does not speak the neutral protocol');
}
