import { insertToken } from '../../server/features/auth/store.ts';
import { generateToken } from '../../server/features/auth/tokens.ts';
import { checkContract, type DescribedServer } from './contract.ts';
import { masterToken, type TestServer } from './server.ts';
import { writeContent } from './shared-database.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, or the text if it is something else; nothing when there was no body. */
  readonly body: unknown;
}

export interface ApiCall {
  /** Bearer token; the master token unless given, null for none. */
  readonly token?: string | null;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, with the given headers. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Calls the API of a running server; `path` is below `/api/v1`. Every answer must match the OpenAPI document.
 */
export async function call(
  server: DescribedServer,
  method: string,
  path: string,
  options: ApiCall = {},
): Promise<ApiAnswer> {
  const token = options.token === undefined ? masterToken : options.token;
  const headers = new Headers(token === null ? {} : { Authorization: `Bearer ${token}` });
  if (options.body !== undefined) headers.set('Content-Type', 'application/json');
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  const body = options.raw ?? (options.body === undefined ? null : JSON.stringify(options.body));
  const response = await fetch(`${server.url}/api/v1${path}`, { method, headers, body });
  const text = await response.text();
  const contentType = response.headers.get('content-type');
  await checkContract(server, { method, path, status: response.status, contentType, text });
  return {
    status: response.status,
    headers: response.headers,
    body: bodyIn(text, contentType),
  };
}

function bodyIn(text: string, contentType: string | null): unknown {
  if (text === '') return undefined;
  return contentType?.startsWith('application/json') === true ? JSON.parse(text) : text;
}

/** A successful call, with its body as a record of fields. */
export async function callOk(
  server: DescribedServer,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const answer = await call(server, method, path, body === undefined ? {} : { body });
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return asRecord(answer.body);
}

/** A successful call that answers with a list of records. */
export async function callList(server: DescribedServer, path: string): Promise<Record<string, unknown>[]> {
  const answer = await call(server, 'GET', path);
  if (!Array.isArray(answer.body)) throw new Error(`GET ${path}: ${answer.status} is no list`);
  return answer.body.map(asRecord);
}

/** The status of an answer with its error code, if any. */
export function outcomeOf({ status, body }: ApiAnswer): { status: number; code: unknown } {
  return { status, code: asRecord(body)['code'] };
}

/** How many answers have each outcome, such as `200` or `409 page.slugTaken`. */
export function countOutcomes(answers: readonly ApiAnswer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, code } of answers.map(outcomeOf)) {
    const outcome = `${status} ${code ?? ''}`.trim();
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

export function asRecord(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value));
}

/** Writes a token into the database of a running server, because the API creates tokens only for sessions. */
export async function addToken(
  server: Pick<TestServer, 'dataDir'>,
  name: string,
  canWrite: boolean,
): Promise<string> {
  const { secret, prefix, hash } = generateToken();
  await writeContent(server.dataDir, (db) =>
    insertToken(db, { name, prefix, hash, can_write: Number(canWrite), created_at: 0 }),
  );
  return secret;
}
