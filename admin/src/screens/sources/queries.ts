import { api, requireData } from '../../api/client.ts';
import type { Source, SourceTest, SourceTestResult } from '../../api/generated/schema.ts';
import { Resource } from '../../api/resource.ts';

export type { Source };

export const sources = new Resource('/sources', { feeds: ['source'] });

/** Fetches what an unsaved source would fetch. */
export function testSource(body: SourceTest): Promise<SourceTestResult> {
  return requireData(api.POST('/sources/test', { body }));
}
