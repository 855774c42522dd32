import Type from 'typebox';
import { defineRoute, type Route } from '../../api/route.ts';
import type { SharedServices } from '../../feature.ts';
import { BlockType, BlockTypesQuery, PageLayoutEntry } from './model.ts';
import { listBlockTypes, listBlockTypesWithUsage, listPageLayouts } from './offers.ts';

/** Block types and page layouts, which snippets offer to editors. */
export function snippetRoutes({
  snapshots,
  reader,
  texts,
}: Pick<SharedServices, 'snapshots' | 'reader' | 'texts'>): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/blocks/types',
      access: 'read',
      needs: 'read',
      summary: 'List block types',
      query: BlockTypesQuery,
      response: Type.Array(BlockType),
      handle: ({ query: { usage = false } }) =>
        usage ? snapshots.read(listBlockTypesWithUsage) : listBlockTypes(reader),
    }),
    defineRoute({
      method: 'GET',
      path: '/page-layouts',
      access: 'read',
      needs: 'read',
      summary: 'List page layouts',
      response: Type.Array(PageLayoutEntry),
      handle: () => listPageLayouts(reader, texts),
    }),
  ];
}
