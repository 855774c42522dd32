import { api, requireData } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import type { TemplateFacts } from './completion.ts';

/** Facts are asked for again after this time, in milliseconds. */
const freshMs = 30_000;

/** What a template of a page can use; for snippets any page of the website does. */
export async function templateFacts(pageId: number): Promise<TemplateFacts> {
  const path = { id: pageId };
  const [snippets, collections, sources, data] = await Promise.all([
    known(['snippets'], () => requireData(api.GET('/snippets'))),
    known(['collections'], () => requireData(api.GET('/collections'))),
    known(['sources'], () => requireData(api.GET('/sources'))),
    known(['pages', 'variables', pageId], () =>
      requireData(api.POST('/pages/{id}/template-data', { params: { path } })),
    ),
  ]);
  return {
    snippets: snippets.map(({ name }) => name),
    lists: [...collections, ...sources].map(({ slug }) => slug),
    variables: data.variables,
  };
}

function known<Value>(queryKey: readonly unknown[], queryFn: () => Promise<Value>): Promise<Value> {
  return queryClient.fetchQuery({ queryKey, queryFn, staleTime: freshMs });
}
