import { queryOptions } from '@tanstack/react-query';
import { api, requireData } from '../../api/client.ts';
import type { ChangeSet } from '../../api/generated/schema.ts';
import { Resource } from '../../api/resource.ts';

/** How often lists of change sets are asked for again: edits of others are no changes of content. */
const refreshMs = 15_000;

/** Change sets, working copies among them. */
export const changeSets = new Resource('/change-sets', { feeds: ['change_set'], everyMs: refreshMs });

/** What people publish together: neither the working copy of one object nor what was discarded. */
export function isRelease({ purpose, state }: Pick<ChangeSet, 'purpose' | 'state'>): boolean {
  return purpose !== 'copy' && purpose !== 'dev' && state !== 'discarded';
}

/** Whether it takes changes. */
export function isOpen({ state }: ChangeSet): boolean {
  return state !== 'published' && state !== 'discarded';
}

/** The open releases that have an object. */
export function releasesWithQuery(kind: string, id: number) {
  return queryOptions({
    queryKey: [changeSets.name, { kind, id }],
    queryFn: () => requireData(api.GET('/change-sets', { params: { query: { kind, id } } })),
    select: (sets) => sets.filter((set) => isRelease(set) && isOpen(set)),
    staleTime: 0,
  });
}

/** An object as the batch knows it. */
export interface PreparedObject {
  readonly kind: string;
  readonly id: number;
}

/** Puts changed fields of an object into a release. @param body as the PUT of the object takes it */
export async function addToRelease(
  release: number,
  { kind, id }: PreparedObject,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const path = { id: release, kind, objectId: id };
  await requireData(api.PUT('/change-sets/{id}/items/{kind}/{objectId}', { params: { path }, body }));
  await changeSets.changed();
}
