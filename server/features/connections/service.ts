import { apiError } from '../../base/errors.ts';
import { hasSameOrigin } from '../../base/origin.ts';
import type { Secrets } from '../../base/secrets.ts';
import type { Change } from '../../changes/changes.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { Outgoing } from '../../http/outgoing/client.ts';
import type { AuthStatus } from '../auth/model.ts';
import type { Connection, ConnectionCreate, ConnectionUpdate } from './model.ts';
import * as store from './store.ts';

export interface ConnectionDeps {
  readonly outgoing: Pick<Outgoing, 'faultOf'>;
  readonly secrets: Secrets;
}

/** What tokens of connections are encrypted for. */
const secretPurpose = 'connection';
const prefixLength = 10;

/** @throws ApiError `connection.urlInvalid` */
export async function createConnection(
  { tx, now }: Change,
  body: ConnectionCreate,
  { outgoing, secrets }: ConnectionDeps,
): Promise<store.StoredConnection> {
  const fields = {
    name: body.name,
    url: normalizeAddress(body.url, outgoing),
    ...sealed(body.token, secrets),
    last_sync_at: null,
    last_sync: '',
    sync_hash: '',
    created_at: now,
  };
  return { id: await store.connections.insert(tx, fields), ...fields };
}

/**
 * Another address is another instance, with which nothing has been exchanged. On another origin it does not get the
 * stored token. @throws ApiError `common.notFound`, `connection.urlInvalid`
 */
export async function updateConnection(
  { tx }: Change,
  id: number,
  body: ConnectionUpdate,
  { outgoing, secrets }: ConnectionDeps,
): Promise<store.StoredConnection> {
  const before = await requireConnection(tx, id);
  const url = body.url === undefined ? before.url : normalizeAddress(body.url, outgoing);
  const isSent = body.token !== undefined && body.token !== '';
  const isMoved = !hasSameOrigin(url, before.url);
  const connection = {
    ...before,
    name: body.name ?? before.name,
    url,
    ...(isSent || isMoved ? sealed(body.token ?? '', secrets) : {}),
    ...(url === before.url ? {} : { last_sync_at: null, last_sync: '', sync_hash: '' }),
  };
  await store.connections.update(tx, connection);
  return connection;
}

/** @throws ApiError `common.notFound` */
export async function requireConnection(db: ContentDb, id: number): Promise<store.StoredConnection> {
  const connection = await store.connections.find(db, id);
  if (connection === undefined) throw apiError('common.notFound', {});
  return connection;
}

/** The connection of a session in remote mode; undefined if it does not exist. */
export async function findRemote(db: ContentDb, id: number): Promise<AuthStatus['remote']> {
  const connection = await store.connections.find(db, id);
  return connection === undefined ? undefined : { id, name: connection.name, url: connection.url };
}

/** @throws ApiError `storage.secretUndecryptable`, 502 `connection.failed` if the address was changed without a token */
export function decryptToken({ token: stored }: store.StoredConnection, secrets: Secrets): string {
  const token = secrets.open(stored, secretPurpose);
  if (token === '') throw apiError('connection.failed', { error: 'the connection has no token' });
  return token;
}

export function presentConnection({
  token: _t,
  sync_hash: _h,
  ...fields
}: store.StoredConnection): Connection {
  return fields;
}

function sealed(token: string, secrets: Secrets): Pick<store.StoredConnection, 'token' | 'token_prefix'> {
  return { token: secrets.seal(token, secretPurpose), token_prefix: token.slice(0, prefixLength) };
}

/**
 * The address in its one form: with a scheme, the host in lower case, without a slash at the end and without the path
 * of the API.
 *
 * @throws ApiError `connection.urlInvalid`
 */
function normalizeAddress(text: string, outgoing: ConnectionDeps['outgoing']): string {
  const trimmed = text.trim();
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  const fault = outgoing.faultOf(full);
  if (fault !== undefined) throw apiError('connection.urlInvalid', { reason: fault.reason });
  const { origin, pathname } = new URL(full);
  return (
    origin +
    pathname
      .replace(/\/+$/, '')
      .replace(/\/api\/v1$/, '')
      .replace(/\/+$/, '')
  );
}
