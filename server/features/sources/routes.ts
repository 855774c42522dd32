import Type from 'typebox';
import { defineRoute, type Route } from '../../api/route.ts';
import { apiError } from '../../base/errors.ts';
import { IdParams } from '../../content/common-fields.ts';
import type { SharedServices } from '../../feature.ts';
import type { SourceFetcher } from './fetch.ts';
import { Source, SourceTest, SourceTestResult } from './model.ts';
import { listSources, redactFor, testSource } from './service.ts';
import * as store from './store.ts';

/** REST sources, besides the endpoints that their declaration makes. */
export function sourceRoutes(
  { reader, pool }: Pick<SharedServices, 'reader' | 'pool'>,
  fetcher: SourceFetcher,
): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/sources',
      access: 'read',
      needs: 'objects',
      summary: 'List sources',
      response: Type.Array(Source),
      handle: async ({ actor }) => (await listSources(reader)).map((source) => redactFor(actor, source)),
    }),
    defineRoute({
      method: 'GET',
      path: '/sources/{id}',
      access: 'read',
      needs: 'objects',
      summary: 'Get a source',
      params: IdParams,
      response: Source,
      handle: async ({ actor, params }) => {
        const source = await store.sources.find(reader, params.id);
        if (source === undefined) throw apiError('common.notFound', {});
        return redactFor(actor, source);
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/sources/test',
      access: 'write',
      needs: 'code',
      summary: 'Ask a source that is not saved',
      body: SourceTest,
      response: SourceTestResult,
      handle: ({ body }) => testSource({ fetcher, pool }, body),
    }),
  ];
}
