import { defineRoute, type Route } from '../../api/route.ts';
import { withoutReadLimits } from '../../base/content-overlay.ts';
import { RefParams } from '../../content/common-fields.ts';
import type { SharedServices } from '../../feature.ts';
import { answerAbout } from './answers.ts';
import { type CollectionsByRef, mayReadDefinition, requireReadable } from './by-ref.ts';
import { Collection } from './model.ts';
import { presentCollection } from './service.ts';

/** Collections, besides the endpoints that their declaration makes. */
export function collectionRoutes(
  { reader, answers }: Pick<SharedServices, 'reader' | 'answers'>,
  byRef: CollectionsByRef,
): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/collections/{ref}',
      access: 'public',
      needs: 'objects',
      summary: 'Get a collection',
      params: RefParams,
      response: Collection,
      handle: async ({ actor, params }) => {
        const collection = await requireReadable(byRef, params.ref, actor, mayReadDefinition);
        const isPublic = !mayReadDefinition(actor, collection);
        const key = `/collections/${collection.id} ${isPublic}`;
        const read = async () => answers.json(key, () => presentCollection(reader, collection, isPublic));
        return answerAbout(collection, await (isPublic ? withoutReadLimits(read) : read()));
      },
    }),
  ];
}
