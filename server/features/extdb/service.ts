import { type FieldFault, faultsIn, invalid, invalidFields } from '../../base/errors.ts';
import { hasSameOrigin } from '../../base/origin.ts';
import { requireConfirmed } from '../../base/refusals/confirmation.ts';
import type { Secrets } from '../../base/secrets.ts';
import { nameKey, trimName } from '../../base/text.ts';
import type { Change } from '../../changes/changes.ts';
import type { Outgoing } from '../../http/outgoing/client.ts';
import { type ExtdbConnection, type ExtdbConnectionUpdate, extdbLimits } from './model.ts';
import { listConnections, replaceConnections, type StoredConnection } from './store.ts';

/** What tokens are encrypted for. */
export const tokenPurpose = 'extdb';

interface ListDeps {
  readonly secrets: Pick<Secrets, 'seal'>;
  readonly outgoing: Pick<Outgoing, 'faultOf'>;
}

/** PUT /extdb: stores a list in place of the stored one. @throws ApiError `common.invalid` with all faulty fields */
export async function replaceList(
  change: Change,
  list: readonly ExtdbConnectionUpdate[],
  deps: ListDeps,
): Promise<StoredConnection[]> {
  const before = new Map((await listConnections(change.tx)).map((stored) => [stored.name_key, stored]));
  const faults: FieldFault[] = [];
  const connections: StoredConnection[] = [];
  for (const [index, item] of list.entries()) {
    try {
      const connection = connectionOf(item, `${index}`, before, deps);
      if (connections.some(({ name_key }) => name_key === connection.name_key))
        throw invalid(`${index}.name`, 'is in the list twice');
      connections.push(connection);
    } catch (error) {
      const found = faultsIn(error);
      if (found === undefined) throw error;
      faults.push(...found);
    }
  }
  if (faults.length > 0) throw invalidFields(faults);
  if (list.some((item, index) => isMoved(item, connections[index], before)))
    requireConfirmed(change.actor, change.now);
  await replaceConnections(change.tx, connections);
  return connections;
}

/** Whether a connection with a token gets another target. */
function isMoved(
  { name, old_name }: ExtdbConnectionUpdate,
  after: StoredConnection | undefined,
  before: ReadonlyMap<string, StoredConnection>,
): boolean {
  const previous = before.get(nameKey(old_name ?? name));
  if (previous === undefined || previous.token === '' || after === undefined) return false;
  return !hasSameOrigin(after.url, previous.url);
}

/** What the API shows of a connection. */
export function presentConnection({ name, url, token }: StoredConnection): ExtdbConnection {
  return { name, url, has_token: token !== '' };
}

function connectionOf(
  { name, url, token, old_name }: ExtdbConnectionUpdate,
  at: string,
  before: ReadonlyMap<string, StoredConnection>,
  deps: ListDeps,
): StoredConnection {
  const trimmed = trimName(name);
  if (!/^[\p{L}\p{M}\p{N} ._-]+$/u.test(trimmed))
    throw invalid(`${at}.name`, 'must consist of letters, digits, spaces, ".", "_" and "-"');
  if ([...trimmed].length > extdbLimits.name)
    throw invalid(`${at}.name`, `must have at most ${extdbLimits.name} characters`);
  const previous = before.get(nameKey(old_name ?? name));
  if (old_name !== undefined && previous === undefined)
    throw invalid(`${at}.old_name`, 'is the name of no connection');
  const address = normalUrl(url, `${at}.url`, deps.outgoing);
  // The token of one service is nothing for another one.
  const isSameOrigin = previous !== undefined && hasSameOrigin(address, previous.url);
  return {
    name_key: nameKey(trimmed),
    name: trimmed,
    url: address,
    token: storedToken(token, isSameOrigin ? previous.token : '', deps.secrets),
  };
}

function storedToken(
  token: string | null | undefined,
  previous: string,
  secrets: ListDeps['secrets'],
): string {
  if (token === undefined || token === null) return previous;
  return token === '' ? '' : secrets.seal(token, tokenPurpose);
}

/** The address without a slash or `/api/v1` at its end. */
function normalUrl(text: string, field: string, outgoing: ListDeps['outgoing']): string {
  const fault = outgoing.faultOf(text.trim());
  if (fault !== undefined) throw invalid(field, fault.reason);
  const url = new URL(text.trim());
  if (url.search !== '' || url.hash !== '') throw invalid(field, 'must have neither a query nor a fragment');
  return `${url.origin}${url.pathname}`
    .replace(/\/+$/, '')
    .replace(/\/api\/v1$/, '')
    .replace(/\/+$/, '');
}
