import Type from 'typebox';
import { Reply } from '../../../api/reply.ts';
import { defineRoute, type Route } from '../../../api/route.ts';
import type { Actor } from '../../../base/actor.ts';
import { apiError } from '../../../base/errors.ts';
import { allows } from '../../../base/rights.ts';
import { fieldLimits } from '../../../content/common-fields.ts';
import type { SharedServices } from '../../../feature.ts';
import { answerAbout } from '../answers.ts';
import { bySlug, type CollectionsByRef, mayReadEntries } from '../by-ref.ts';
import type { PublicLimit } from '../public-limit.ts';
import { DataQuery, parseParams, queryEntries } from './service.ts';

const SlugParams = Type.Object({
  slug: Type.String({ maxLength: fieldLimits.name, description: 'Slug of a collection or REST source.' }),
});

const DataAnswer = Type.Union(
  [
    Type.Array(Type.Unknown()),
    Type.Record(Type.String(), Type.Unknown()),
    Type.String(),
    Type.Number(),
    Type.Boolean(),
    Type.Null(),
  ],
  {
    title: 'DataAnswer',
    description:
      'The entries as templates see them; of a singleton the entry or null. Filters are in the query: `<field>`, `<field>__<operator>`, `id`, `_sort`, `_limit`, `_offset`, `_search`. `_fields` and `_image` say how entries are shown.',
  },
);

/** The list of a REST source as JSON; undefined if there is no source of that slug. */
export type SourceJson = (
  slug: string,
  params: Readonly<Record<string, string>>,
) => Promise<Uint8Array | undefined>;

/** Entries as templates see them, and the lists of REST sources. */
export function dataRoutes(
  deps: Pick<SharedServices, 'answers' | 'pool'>,
  { byRef, publicLimit }: { readonly byRef: CollectionsByRef; readonly publicLimit: PublicLimit },
  sourceJson: SourceJson,
): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/data/{slug}',
      access: 'public',
      needs: 'objects',
      summary: 'Get entries of a collection, filtered and sorted, or the list of a REST source',
      params: SlugParams,
      describedQuery: DataQuery,
      countsAll: true,
      response: DataAnswer,
      errors: [
        'common.invalid',
        'data.unknownField',
        'data.unknownOperator',
        'data.sourceFailed',
        'common.busy',
      ],
      handle: async ({ actor, params, rawQuery }) => {
        const { slug } = params;
        const collection = (await byRef.get()).get(bySlug(slug));
        if (collection === undefined && mayReadSources(actor)) {
          const json = await sourceJson(slug, parseParams(rawQuery));
          if (json !== undefined) return Reply.madeJson(json);
        }
        const drafts = collection !== undefined && mayReadEntries(actor, collection);
        if (collection === undefined || !(drafts || collection.public_api))
          throw apiError('common.notFound', {});
        const maxEntries = drafts ? undefined : await publicLimit.get();
        const options = { drafts, form: 'values', maxEntries } as const;
        return answerAbout(collection, await queryEntries(deps, collection, rawQuery, options));
      },
    }),
  ];
}

function mayReadSources({ kind, grants }: Actor): boolean {
  return kind !== 'none' && (grants === undefined || allows(grants, 'read', { kind: 'source' }));
}
