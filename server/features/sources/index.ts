import type { Feature, SharedServices } from '../../feature.ts';
import { SourceFetcher } from './fetch.ts';
import { sourceRoutes } from './routes.ts';
import { answerFor, findSource, sourceJson, sourceKind } from './service.ts';

export interface SourcesFeature extends Feature {
  /** The list of a source as JSON; undefined if there is no source of that slug. @throws ApiError `data.sourceFailed` */
  json(slug: string, params: Readonly<Record<string, string>>): Promise<Uint8Array | undefined>;
}

/** REST sources (Data, Automation and Operations, "REST sources"). */
export function sourcesFeature(parts: SharedServices): SourcesFeature {
  const { reader, outgoing, clock, pool } = parts;
  const fetcher = new SourceFetcher(outgoing, clock, process.env);
  return {
    kinds: [sourceKind(outgoing)],
    routes: sourceRoutes(parts, fetcher),
    followers: [{ of: ['source'], refresh: () => fetcher.clear() }],
    outside: (request) => ('slug' in request ? answerFor(reader, fetcher, request) : undefined),
    async json(slug, params) {
      const source = await findSource(reader, slug);
      return source && sourceJson({ fetcher, pool }, source, params);
    },
  };
}
