import Type from 'typebox';
import type { Changes } from '../change.ts';
import type { ContentDb } from '../db/tables.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { IdParams } from '../model.ts';
import { Asset, AssetCreate, AssetListEntry, AssetListQuery, AssetUpdate } from './model.ts';
import * as assets from './service.ts';

/** CSS and JS (Core, "Assets"). */
export function assetRoutes({ reader, changes }: { reader: ContentDb; changes: Changes }): Route[] {
  const { change } = changes;
  return [
    defineRoute({
      method: 'GET',
      path: '/assets',
      access: 'read',
      summary: 'List CSS and JS assets without their content',
      query: AssetListQuery,
      response: Type.Array(AssetListEntry),
      handle: ({ query }) => assets.listAssets(reader, query),
    }),
    defineRoute({
      method: 'POST',
      path: '/assets',
      access: 'write',
      summary: 'Create an asset',
      body: AssetCreate,
      response: Asset,
      status: 201,
      handle: ({ actor, body }) => change(actor, (c) => assets.createAsset(c, body)),
    }),
    defineRoute({
      method: 'GET',
      path: '/assets/{id}',
      access: 'read',
      summary: 'Get an asset',
      params: IdParams,
      response: Asset,
      handle: ({ params }) => assets.getAsset(reader, params.id),
    }),
    defineRoute({
      method: 'PUT',
      path: '/assets/{id}',
      access: 'write',
      summary: 'Change fields of an asset',
      params: IdParams,
      body: AssetUpdate,
      response: Asset,
      handle: ({ actor, params, body }) => change(actor, (c) => assets.updateAsset(c, params.id, body)),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/assets/{id}',
      access: 'write',
      summary: 'Delete an asset and its assignments',
      params: IdParams,
      handle: ({ actor, params }) => change(actor, (c) => assets.deleteAsset(c, params.id)),
    }),
  ];
}
