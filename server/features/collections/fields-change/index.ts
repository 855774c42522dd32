import { defineRoute } from '../../../api/route.ts';
import { RefParams } from '../../../content/common-fields.ts';
import { updateObject } from '../../../content/kinds/objects.ts';
import type { Feature } from '../../../feature.ts';
import { collectionKind, presentCollection, requireCollection } from '../service.ts';
import { Impact, ImpactQuestion, RenamedCollection, RenameField, RenameSlug } from './model.ts';
import { computeImpact, type FieldsChangeDeps, renameField, usesWithout } from './service.ts';
import { findNamers, renameInNamers, usesIn } from './slug-uses.ts';

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
        needs: 'objects',
        summary: 'Tell what a change of the fields or the slug would break',
        params: RefParams,
        body: ImpactQuestion,
        response: Impact,
        errors: ['common.busy'],
        handle: async ({ params, body }) =>
          computeImpact(deps, await requireCollection(reader, params.ref), body),
      }),
      defineRoute({
        method: 'POST',
        path: '/collections/{ref}/rename-field',
        access: 'write',
        needs: 'code',
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
          const uses = await usesWithout(deps, collection, names, [body.from]);
          const shown = await presentCollection(reader, collection, false);
          return { ...shown, templates: uses.filter(({ field }) => field === body.from) };
        },
      }),
      defineRoute({
        method: 'POST',
        path: '/collections/{ref}/rename-slug',
        access: 'write',
        needs: 'code',
        summary: 'Give a collection another slug, and tell what names the old one',
        params: RefParams,
        body: RenameSlug,
        response: RenamedCollection,
        errors: ['collection.slugTaken', 'common.busy'],
        handle: async ({ actor, params, body: { to, carry = false } }) => {
          const { slug } = await requireCollection(reader, params.ref);
          const namers = carry && to !== slug ? await findNamers(deps, slug) : [];
          const renamed = await changes.change(actor, async (change) => {
            const before = await requireCollection(change.tx, params.ref);
            const after = await updateObject(change, kind, before.id, { slug: to });
            if (before.slug === slug) await renameInNamers(change, deps, namers, slug, to);
            return after;
          });
          const shown = await presentCollection(reader, renamed, false);
          const left = to === slug ? [] : await findNamers(deps, slug);
          return { ...shown, templates: usesIn(left, slug) };
        },
      }),
    ],
  };
}
