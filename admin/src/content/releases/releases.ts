import { queryOptions } from '@tanstack/react-query';
import { api, requireData } from '../../api/client.ts';
import type { ChangeSet, PublishRequest, Reverted } from '../../api/generated/schema.ts';
import { queryClient } from '../../api/query-client.ts';
import { Resource } from '../../api/resource.ts';

/** How often lists of change sets are asked for again: edits of others are no changes of content. */
export const refreshMs = 15_000;

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

/** The change sets that have an object. */
export function setsWithQuery(kind: string, id: number) {
  return queryOptions({
    queryKey: [changeSets.name, { kind, id }],
    queryFn: () => requireData(api.GET('/change-sets', { params: { query: { kind, id } } })),
    staleTime: 0,
  });
}

/** The open releases that have an object. */
export function releasesWithQuery(kind: string, id: number) {
  return {
    ...setsWithQuery(kind, id),
    select: (sets: readonly ChangeSet[]) => sets.filter((set) => isRelease(set) && isOpen(set)),
  };
}

/** What a change set changes, beside what is live. */
export function diffQuery(id: number) {
  return queryOptions({
    queryKey: [changeSets.name, id, 'diff'],
    queryFn: () => requireData(api.GET('/change-sets/{id}/diff', { params: { path: { id } } })),
    staleTime: 0,
  });
}

/** Which values count where both a change set and what is live have changed a field. */
export type Resolution = NonNullable<PublishRequest['resolve']>;

/** Publishes at once. What others read may be old then. */
export async function publish(id: number, resolve: Resolution = {}): Promise<void> {
  await requireData(api.POST('/change-sets/{id}/publish', { params: { path: { id } }, body: { resolve } }));
  await queryClient.invalidateQueries();
}

/** Puts back what a published change set has changed. */
export async function revert(id: number): Promise<Reverted> {
  const done = await requestRevert(id, false);
  await queryClient.invalidateQueries();
  return done;
}

export function requestRevert(id: number, isDryRun: boolean): Promise<Reverted> {
  const params = { path: { id } };
  return requireData(api.POST('/change-sets/{id}/revert', { params, body: { dry_run: isDryRun } }));
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

/** Asks those who may publish to look at a change set. */
export async function requestReview(id: number): Promise<void> {
  const params = { path: { id } };
  await requireData(api.POST('/change-sets/{id}/review', { params, body: { state: 'requested' } }));
  await changeSets.changed();
}
