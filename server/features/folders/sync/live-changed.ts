/** Whether the content of a server has changed between reading and publishing. */
import { isDeepStrictEqual } from 'node:util';
import { isFields } from '../format/text-file.ts';
import { type IdentifiedObject, toServerUid } from './objects/identity.ts';
import type { PushPlan } from './push-plan.ts';
import type { ApiClient, Json } from './server/api-client.ts';

/** It has; the push begins again. */
export class LiveChanged extends Error {}

/** @throws LiveChanged if an object had changed before it came into the change set */
export async function requireUnchanged(
  client: ApiClient,
  { compared }: Pick<PushPlan, 'compared'>,
  changeSet: number,
  items: readonly Json[],
): Promise<void> {
  const { states } = compared.live;
  for (const { kind, id, base_updated_at: base, op } of items) {
    const state = states.get(toServerUid(kind as IdentifiedObject['kind'], id));
    const known = state?.['updated_at'];
    if (op === 'delete' && typeof base === 'number' && typeof known === 'number' && base !== known)
      throw new LiveChanged();
  }
  for (const { kind, id, op, fields } of await client.list(`/change-sets/${changeSet}/diff`)) {
    const state = states.get(toServerUid(kind as IdentifiedObject['kind'], id));
    if (state === undefined || op === 'create' || !Array.isArray(fields)) continue;
    for (const field of fields as readonly Json[])
      if (hasChanged(state, String(field['field']), field['base'])) throw new LiveChanged();
  }
}

const arranged: ReadonlySet<string> = new Set(['translations', 'sort', 'parent_id', 'deleted', 'changed']);

function hasChanged(state: Json, field: string, base: unknown): boolean {
  if (arranged.has(field)) return false;
  const [outer = '', ...inner] = field.split('.');
  const whole = state[outer];
  const known = inner.length > 0 && isFields(whole) ? whole[inner.join('.')] : whole;
  return !isDeepStrictEqual(known ?? null, base ?? null);
}
