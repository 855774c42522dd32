import Type from 'typebox';
import type { Changes } from '../change.ts';
import type { ContentDb } from '../db/tables.ts';
import type { AnswerMemo } from '../http/answer-memo.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { IdParams } from '../model.ts';
import { Asset, AssetCreate, AssetListEntry, AssetListQuery, AssetUpdate } from './model.ts';
import * as assets from './service.ts';

export interface AssetRoutesDeps {
  readonly reader: ContentDb;
  readonly changes: Changes;
  readonly answers: AnswerMemo;
}

/** CSS and JS (Core, "Assets"). */
export function assetRoutes({ reader, changes, answers }: AssetRoutesDeps): Route[] {
  const { change } = changes;
  return [
    defineRoute({
      method: 'GET',
      path: '/assets',
      access: 'read',
      summary: 'List CSS and JS assets without their content',
      query: AssetListQuery,
      response: Type.Array(AssetListEntry),
      handle: ({ query }) =>
        answers.json(`/assets?kind=${query.kind ?? ''}`, () => assets.listAssets(reader, query)),
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
      handle: ({ params }) => answers.json(`/assets/${params.id}`, () => assets.getAsset(reader, params.id)),
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
