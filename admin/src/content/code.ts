import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, ok } from '../api/client.ts';
import { followChanges } from '../api/feeds.ts';
import { queryClient } from '../api/query-client.ts';
import type { CodeKind, CodeObject } from './code-object.ts';

followChanges(['snippet'], 'snippets', 'page-layouts');
followChanges(['asset', 'import'], 'assets');

function listOptions(kind: CodeKind) {
  return queryOptions({ queryKey: [`${kind.name}s`], queryFn: () => kind.list() });
}

function objectOptions(kind: CodeKind, id: number) {
  return queryOptions({ queryKey: [`${kind.name}s`, id], queryFn: () => kind.get(id) });
}

export const blockTypesQuery = queryOptions({
  queryKey: ['snippets', 'block-types'],
  queryFn: () => ok(api.GET('/blocks/types')),
});

export function useCodeObjects(kind: CodeKind) {
  return useQuery(listOptions(kind));
}

export function useCodeObject(kind: CodeKind, id: number) {
  return useQuery(objectOptions(kind, id));
}

/** The object as the server has it now. */
export function loadCodeObject(kind: CodeKind, id: number): Promise<CodeObject> {
  return queryClient.fetchQuery({ ...objectOptions(kind, id), staleTime: 0 });
}

/** After a save: lists and previews are asked for again. */
export async function codeSaved(kind: CodeKind, object: CodeObject): Promise<void> {
  queryClient.setQueryData(objectOptions(kind, object.id).queryKey, object);
  await queryClient.invalidateQueries({ queryKey: listOptions(kind).queryKey, exact: true });
  void queryClient.invalidateQueries({ queryKey: blockTypesQuery.queryKey });
  void queryClient.invalidateQueries({ queryKey: ['page-layouts'] });
  await queryClient.invalidateQueries({ queryKey: ['revisions', kind.name, object.id] });
}

export function codeChanged(kind: CodeKind): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: listOptions(kind).queryKey });
}
