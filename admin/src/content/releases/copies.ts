/** Working copies: changes of one object that wait until somebody publishes them. */
import { queryOptions } from '@tanstack/react-query';
import { ApiFailure } from '../../api/failure.ts';
import type { ChangeSetItem } from '../../api/generated/schema.ts';
import { queryClient } from '../../api/query-client.ts';
import { send } from '../../api/resource.ts';
import { changeSets, isOpen, type PreparedObject, type Resolution, setsWithQuery } from './releases.ts';

/** An object with its address below `/api/v1`. */
export interface CopiedObject extends PreparedObject {
  readonly path: string;
}

/** An object with its working copy. */
export interface Copy {
  /** As its GET answers; `updated_at` is that of the copy. */
  readonly object: object;
  /** What the copy changes; null if nothing is left of it. */
  readonly item: ChangeSetItem | null;
  /** ID of the change set; null if there is none any more. */
  readonly changeSet: number | null;
}

interface CopyAnswer {
  readonly item: ChangeSetItem | null;
  readonly change_set: number | null;
}

/** The working copy of an object; null if it has none. */
export function copyQuery({ kind, id, path }: CopiedObject) {
  return queryOptions({
    queryKey: [changeSets.name, 'copy', kind, id],
    queryFn: async (): Promise<Copy | null> => {
      // Most objects have none, and a list without it is no error.
      const sets = await queryClient.fetchQuery(setsWithQuery(kind, id));
      return sets.some((set) => set.purpose === 'copy' && isOpen(set)) ? loadCopy(path) : null;
    },
    staleTime: 0,
  });
}

/** The working copy at an address; null if there is none. */
export async function loadCopy(path: string): Promise<Copy | null> {
  try {
    return toCopy(await send<CopyAnswer>('get', `${path}/copy`));
  } catch (error) {
    if (error instanceof ApiFailure && error.code === 'changeset.noCopy') return null;
    throw error;
  }
}

function toCopy({ item, change_set: changeSet, ...object }: CopyAnswer): Copy {
  return { object, item, changeSet };
}

/**
 * Saves changes in the working copy, and merges them with those of others.
 *
 * @param body with `seen`, the `updated_at` that the user has seen
 * @param isStrict refuses texts that visitors would see as an error page
 */
export async function saveCopy(of: CopiedObject, body: object, isStrict: boolean): Promise<Copy> {
  const params = { query: isStrict ? { strict: true } : {} };
  const copy = toCopy(await send<CopyAnswer>('put', `${of.path}/copy`, { params, body }));
  noteCopy(of, copy.changeSet === null ? null : copy);
  return copy;
}

/** Drops what waits. What is live stays as it is. */
export async function discardCopy(of: CopiedObject): Promise<void> {
  try {
    await send('delete', `${of.path}/copy`);
  } catch (error) {
    if (!(error instanceof ApiFailure && error.code === 'changeset.noCopy')) throw error;
  }
  noteCopy(of, null);
  await changeSets.changed();
}

/** After a publication: what others read may be old then, and the copy is gone once the live object is known. */
export async function forgetCopy(of: CopiedObject): Promise<void> {
  const { queryKey } = copyQuery(of);
  const isCopy = (key: readonly unknown[]) => JSON.stringify(key) === JSON.stringify(queryKey);
  await queryClient.invalidateQueries({ predicate: (query) => !isCopy(query.queryKey) });
  noteCopy(of, null);
}

/** Makes what waits live. @returns ID of the change set */
export async function publishCopy(of: CopiedObject, resolve: Resolution = {}): Promise<number> {
  const { id } = await send<{ readonly id: number }>('post', `${of.path}/copy/publish`, {
    body: { resolve },
  });
  return id;
}

/** A copy that comes or goes changes what lists say of the object. */
function noteCopy(of: CopiedObject, copy: Copy | null): void {
  const { queryKey } = copyQuery(of);
  const before = queryClient.getQueryData(queryKey);
  queryClient.setQueryData(queryKey, copy);
  if ((before ?? null) === null || copy === null)
    void queryClient.invalidateQueries({ queryKey: setsWithQuery(of.kind, of.id).queryKey });
}
