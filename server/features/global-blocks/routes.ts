import Type from 'typebox';
import { defineRoute, type Route } from '../../api/route.ts';
import { BlockUsage } from '../../content/blocks/model.ts';
import { listUsageOfGlobal } from '../../content/blocks/usage.ts';
import { IdParams } from '../../content/common-fields.ts';
import { requireObject } from '../../content/kinds/objects.ts';
import type { SharedServices } from '../../feature.ts';
import { globalBlockKind } from './service.ts';

export function globalBlockRoutes({ snapshots }: Pick<SharedServices, 'snapshots'>): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/global-blocks/{id}/usage',
      access: 'read',
      needs: 'objects',
      summary: 'List what inserts a global block',
      params: IdParams,
      response: Type.Array(BlockUsage),
      handle: ({ params: { id } }) =>
        snapshots.read(async (db) => {
          await requireObject(globalBlockKind, db, id);
          return listUsageOfGlobal(db, id);
        }),
    }),
  ];
}
