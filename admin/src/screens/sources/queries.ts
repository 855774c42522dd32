import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, ok } from '../../api/client.ts';
import type { Source, SourceTest, SourceTestResult, SourceUpdate } from '../../api/generated/schema.ts';
import { queryClient } from '../../api/query-client.ts';

export type { Source };

const listQuery = queryOptions({ queryKey: ['sources'], queryFn: () => ok(api.GET('/sources')) });

export function useSources() {
  return useQuery(listQuery);
}

export async function createSource(body: {
  readonly name: string;
  readonly slug: string;
  readonly url: string;
}): Promise<Source> {
  const source = await ok(api.POST('/sources', { body }));
  await sourcesChanged();
  return source;
}

export async function updateSource(id: number, body: SourceUpdate): Promise<Source> {
  const source = await ok(api.PUT('/sources/{id}', { params: { path: { id } }, body }));
  await sourcesChanged();
  return source;
}

export async function deleteSource(id: number): Promise<void> {
  await ok(api.DELETE('/sources/{id}', { params: { path: { id } } }));
  await sourcesChanged();
}

/** Fetches what an unsaved source would fetch. */
export function testSource(body: SourceTest): Promise<SourceTestResult> {
  return ok(api.POST('/sources/test', { body }));
}

function sourcesChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['sources'] });
}
