import { defineRoute } from '../../../api/route.ts';
import { RefParams } from '../../../content/common-fields.ts';
import type { Feature } from '../../../feature.ts';
import { collectionKind, presentCollection, requireCollection } from '../service.ts';
import { Impact, ImpactQuestion, RenamedCollection, RenameField } from './model.ts';
import { computeImpact, type FieldsChangeDeps, renameField, templatesWithout } from './service.ts';

/** Changes of the fields of a collection: what one would break, and renaming. */
export function fieldsChangeFeature(deps: FieldsChangeDeps): Feature {
  const { reader, changes } = deps;
  const kind = collectionKind(reader);
  return {
    routes: [
      defineRoute({
        method: 'POST',
        path: '/collections/{ref}/impact',
        access: 'read',
        summary: 'Tell what a change of the fields would break',
        params: RefParams,
        body: ImpactQuestion,
        response: Impact,
        errors: ['common.busy'],
        handle: async ({ params, body }) =>
          computeImpact(deps, await requireCollection(reader, params.ref), body.fields),
      }),
      defineRoute({
        method: 'POST',
        path: '/collections/{ref}/rename-field',
        access: 'write',
        summary: 'Rename a field with its values',
        params: RefParams,
        body: RenameField,
        response: RenamedCollection,
        errors: ['common.nameTaken'],
        handle: async ({ actor, params, body }) => {
          const collection = await changes.change(actor, async (change) =>
            renameField(change, kind, await requireCollection(change.tx, params.ref), body),
          );
          const names = collection.fields.map(({ name }) => name);
          const uses = await templatesWithout(deps, collection, names);
          const shown = await presentCollection(reader, collection, false);
          return { ...shown, templates: uses.filter(({ field }) => field === body.from) };
        },
      }),
    ],
  };
}
