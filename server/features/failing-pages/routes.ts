import Type from 'typebox';
import { defineRoute, type Route } from '../../api/route.ts';
import { IdParams } from '../../content/common-fields.ts';
import { FailingPage } from './model.ts';
import type { FailingPages } from './service.ts';

export function failingPageRoutes(failing: Pick<FailingPages, 'list'>): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/sites/{id}/failing-pages',
      access: 'read',
      needs: 'objects',
      summary: 'List the pages of a website that cannot be rendered, newest first',
      params: IdParams,
      response: Type.Array(FailingPage),
      errors: ['common.notFound'],
      handle: ({ params }) => failing.list(params.id),
    }),
  ];
}
