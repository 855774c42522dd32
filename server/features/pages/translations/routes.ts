import Type from 'typebox';
import { defineRoute, type Route } from '../../../api/route.ts';
import { IdParams } from '../../../content/common-fields.ts';
import type { SharedServices } from '../../../feature.ts';
import { Translation, TranslationLink } from './model.ts';
import * as translations from './service.ts';

/** Language versions of pages. */
export function translationRoutes({ reader, changes }: Pick<SharedServices, 'reader' | 'changes'>): Route[] {
  const path = '/pages/{id}/translations';
  return [
    defineRoute({
      method: 'GET',
      path,
      access: 'read',
      needs: 'objects',
      summary: 'List the other language versions of a page',
      params: IdParams,
      response: Type.Array(Translation),
      handle: ({ params, scheme }) => translations.listTranslations(reader, params.id, scheme),
    }),
    defineRoute({
      method: 'POST',
      path,
      access: 'write',
      needs: 'objects',
      summary: 'Link a page as another language version',
      params: IdParams,
      body: TranslationLink,
      response: Type.Array(Translation),
      errors: translations.linkErrors,
      handle: async ({ actor, params, body, scheme }) => {
        await changes.change(actor, (c) => translations.linkTranslation(c, params.id, body));
        return translations.listTranslations(reader, params.id, scheme);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path,
      access: 'write',
      needs: 'objects',
      summary: 'Take a page out of its language versions',
      params: IdParams,
      handle: ({ actor, params }) =>
        changes.change(actor, (c) => translations.unlinkTranslation(c, params.id)),
    }),
  ];
}
