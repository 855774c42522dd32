/** Pens have no part in change sets, so a push changes them one by one after it. */
import { compareNumbered } from '../format/content.ts';
import { createTokenLookup } from './objects/folder-content.ts';
import {
  type IdentifiedObject,
  type KnownObjects,
  readServerId,
  toServerUid,
  type Uid,
} from './objects/identity.ts';
import { listChangedFields } from './objects/merge.ts';
import type { ApiClient } from './server/api-client.ts';
import { type BodyContext, listNewFields, toBody } from './server/bodies.ts';
import type { Compared } from './session.ts';

/** @returns the identities of new pens, by those that they had in the folder */
export async function sendPens(
  client: ApiClient,
  { live, sides }: Compared,
  wanted: KnownObjects,
  ids: ReadonlyMap<Uid, number>,
): Promise<ReadonlyMap<Uid, Uid>> {
  const created = new Map<Uid, Uid>();
  const context: BodyContext = {
    lookup: createTokenLookup(wanted),
    findId: (uid) => ids.get(uid) ?? readServerId(uid),
    findFolderId: () => undefined,
    findState: (uid) => live.states.get(uid),
  };
  const pens = [...wanted.values()].filter(({ kind }) => kind === 'pen');
  const keyOf = ({ key, uid }: IdentifiedObject) => key ?? uid;
  for (const object of pens.toSorted((left, right) => compareNumbered(keyOf(left), keyOf(right)))) {
    const before = sides.live.get(object.uid);
    const fields = before === undefined ? listNewFields(object) : listChangedFields(before, object);
    if (fields.length === 0) continue;
    const { data } = toBody(object, fields, context);
    if (before !== undefined) await client.send('PUT', `/pens/${readServerId(object.uid)}`, data);
    else {
      const { id } = await client.send('POST', '/pens', data);
      created.set(object.uid, toServerUid('pen', id));
    }
  }
  for (const [uid, { kind }] of sides.live)
    if (kind === 'pen' && !wanted.has(uid)) await client.send('DELETE', `/pens/${readServerId(uid)}`);
  return created;
}
