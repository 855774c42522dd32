import { defineRoute, type Route } from '../../api/route.ts';
import { RefParams } from '../../content/common-fields.ts';
import type { SharedServices } from '../../feature.ts';
import { answerAbout } from './answers.ts';
import { type CollectionsByRef, requireReadable } from './by-ref.ts';
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
        const collection = await requireReadable(byRef, params.ref, actor);
        const isPublic = actor.kind === 'none';
        const key = `/collections/${collection.id} ${isPublic}`;
        const reply = await answers.json(key, () => presentCollection(reader, collection, isPublic));
        return answerAbout(collection, reply);
      },
    }),
  ];
}
