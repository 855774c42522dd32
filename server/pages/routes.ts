import Type from 'typebox';
import type { Changes } from '../change.ts';
import type { ContentDb } from '../db/tables.ts';
import type { AnswerMemo } from '../http/answer-memo.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { IdParams } from '../model.ts';
import type { TemplateAnalysis } from '../templates.ts';
import {
  AssetsUpdate,
  Page,
  PageCreate,
  PageListEntry,
  PageListQuery,
  PageMove,
  PageUpdate,
  SavedPage,
  SiteCreate,
} from './model.ts';
import { movePage } from './move.ts';
import * as pages from './service.ts';

export interface PageRoutesDeps {
  readonly reader: ContentDb;
  readonly changes: Changes;
  readonly templates: TemplateAnalysis;
  readonly answers: AnswerMemo;
}

/** Websites and pages (Core, "Pages"). */
export function pageRoutes({ reader, changes, templates, answers }: PageRoutesDeps): Route[] {
  const { change } = changes;
  return [
    defineRoute({
      method: 'POST',
      path: '/sites',
      access: 'write',
      summary: 'Create a website',
      body: SiteCreate,
      response: SavedPage,
      status: 201,
      errors: ['site.domainTaken'],
      handle: async ({ actor, body }) =>
        pages.presentSavedPage(await change(actor, (c) => pages.createSite(c, body)), templates),
    }),
    defineRoute({
      method: 'GET',
      path: '/pages',
      access: 'read',
      summary: 'List pages without their templates',
      query: PageListQuery,
      response: Type.Array(PageListEntry),
      handle: ({ query }) => {
        const rootsOnly = query.roots === '1';
        return answers.json(rootsOnly ? '/pages?roots=1' : '/pages', () =>
          pages.listPages(reader, rootsOnly),
        );
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/pages',
      access: 'write',
      summary: 'Create a page',
      body: PageCreate,
      response: SavedPage,
      status: 201,
      errors: [
        'common.notFound',
        'page.slugInvalid',
        'page.slugReserved',
        'page.slugTaken',
        'page.layoutWithHTML',
        'page.layoutUnknown',
        'translation.langInvalid',
      ],
      handle: async ({ actor, body }) =>
        pages.presentSavedPage(await change(actor, (c) => pages.createPage(c, body)), templates),
    }),
    defineRoute({
      method: 'GET',
      path: '/pages/{id}',
      access: 'read',
      summary: 'Get a page',
      params: IdParams,
      response: Page,
      handle: ({ params }) =>
        answers.json(`/pages/${params.id}`, async () =>
          pages.presentPage(await pages.getPage(reader, params.id), templates),
        ),
    }),
    defineRoute({
      method: 'PUT',
      path: '/pages/{id}',
      access: 'write',
      summary: 'Change fields of a page',
      params: IdParams,
      body: PageUpdate,
      response: SavedPage,
      errors: [
        'page.slugInvalid',
        'page.slugReserved',
        'page.slugTaken',
        'site.domainTaken',
        'translation.langInvalid',
      ],
      handle: async ({ actor, params, body }) =>
        pages.presentSavedPage(await change(actor, (c) => pages.updatePage(c, params.id, body)), templates),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/pages/{id}',
      access: 'write',
      summary: 'Delete a page with its subpages',
      params: IdParams,
      handle: ({ actor, params }) => change(actor, (c) => pages.deletePage(c, params.id)),
    }),
    defineRoute({
      method: 'PUT',
      path: '/pages/{id}/assets',
      access: 'write',
      summary: 'Replace the assets of a page',
      params: IdParams,
      body: AssetsUpdate,
      response: SavedPage,
      handle: async ({ actor, params, body }) =>
        pages.presentSavedPage(await change(actor, (c) => pages.assignAssets(c, params.id, body)), templates),
    }),
    defineRoute({
      method: 'POST',
      path: '/pages/{id}/move',
      access: 'write',
      summary: 'Move a page to another place',
      params: IdParams,
      body: PageMove,
      response: Type.Array(PageListEntry),
      errors: ['page.slugReserved', 'page.slugTaken'],
      handle: async ({ actor, params, body }) => {
        await change(actor, (c) => movePage(c, params.id, body));
        return answers.json('/pages', () => pages.listPages(reader, false));
      },
    }),
  ];
}
