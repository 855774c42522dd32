import { type ApiAnswer, call, callList } from './api.ts';
import type { DescribedServer } from './contract.ts';

export interface TrashedObject {
  readonly id: number;
  readonly kind: string;
  readonly object_id: number;
  readonly contains: Readonly<Record<string, number>>;
  readonly [field: string]: unknown;
}

export async function listTrash(server: DescribedServer, query = ''): Promise<readonly TrashedObject[]> {
  // Type boundary: the answer fits its schema.
  return (await callList(server, `/trash${query}`)) as unknown as readonly TrashedObject[];
}

/** The newest entry of an object. @throws Error if it is not in the trash */
export async function findTrashed(server: DescribedServer, kind: string, id: number): Promise<TrashedObject> {
  const found = (await listTrash(server, `?kind=${kind}`)).find((entry) => entry.object_id === id);
  if (found === undefined) throw new Error(`${kind} ${id} is not in the trash`);
  return found;
}

export function restore(server: DescribedServer, id: number, body: object = {}): Promise<ApiAnswer> {
  return call(server, 'POST', `/trash/${id}/restore`, { body });
}

/** Deletes an object and finds it in the trash. */
export async function discard(
  server: DescribedServer,
  path: string,
  kind: string,
  id: number,
): Promise<TrashedObject> {
  const { status } = await call(server, 'DELETE', path);
  if (status !== 204) throw new Error(`DELETE ${path}: ${status}`);
  return findTrashed(server, kind, id);
}

/** A flow that answers at an address. */
export function inputFlow(path: string): object {
  return {
    nodes: [
      { id: 'in', type: 'http-in', config: { method: 'GET', path } },
      { id: 'out', type: 'http-response', config: {} },
    ],
    wires: [{ from: 'in', to: 'out' }],
  };
}
