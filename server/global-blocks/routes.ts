import Type from 'typebox';
import { defineRoute, type Route } from '../api/route.ts';
import { BlockUsage } from '../blocks/model.ts';
import { listUsageOfGlobal } from '../blocks/usage.ts';
import type { Parts } from '../feature.ts';
import { requireObject } from '../kinds/objects.ts';
import { IdParams } from '../model.ts';
import { globalBlockKind } from './service.ts';

export function globalBlockRoutes({ snapshots }: Pick<Parts, 'snapshots'>): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/global-blocks/{id}/usage',
      access: 'read',
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
