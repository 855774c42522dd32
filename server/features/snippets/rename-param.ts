import Type, { type Static } from 'typebox';
import { pickSettings } from '../../../runtime/fields/settings.ts';
import type { ReadPosition } from '../../../runtime/tasks/messages/checks.ts';
import { defineRoute, type Route } from '../../api/route.ts';
import { apiError, invalid } from '../../base/errors.ts';
import type { Change } from '../../changes/changes.ts';
import { renameInTrees } from '../../content/blocks/rename.ts';
import { fieldLimits, IdParams } from '../../content/common-fields.ts';
import { renameInCondition } from '../../content/fields/settings.ts';
import { recordObject, requireObject, updateObject } from '../../content/kinds/objects.ts';
import type { KindsByName } from '../../content/kinds/usage.ts';
import type { SharedServices } from '../../feature.ts';
import { Snippet } from './model.ts';
import { parseSchema } from './schema.ts';
import { snippetKind } from './service.ts';

const RenameParam = Type.Object(
  {
    from: Type.String({ maxLength: fieldLimits.name, description: 'Name of the parameter.' }),
    to: Type.String({ maxLength: fieldLimits.name, description: 'Its new name.' }),
  },
  {
    title: 'RenameParam',
    description: 'A parameter of a block type to rename.',
    examples: [{ from: 'headline', to: 'title' }],
  },
);
type RenameParam = Static<typeof RenameParam>;

const ParamUse = Type.Object(
  {
    kind: Type.Literal('snippet', { description: 'Kind of the object that holds the template.' }),
    id: Type.Integer({ description: 'ID of the object.' }),
    name: Type.String({ description: 'Name of the template.' }),
    line: Type.Integer({ description: 'Line of the name, from 1.' }),
    column: Type.Integer({ description: 'Column of the name, from 1.' }),
    field: Type.String({ description: 'The parameter that the template reads.' }),
  },
  { title: 'ParamUse', description: 'A place in a template that reads a parameter.' },
);

const RenamedSnippet = Type.Object(
  {
    ...Snippet.properties,
    templates: Type.Array(ParamUse, { description: 'Places that still read the old name.' }),
  },
  { title: 'RenamedSnippet', description: 'A block type after a parameter was renamed.' },
);

/** POST /snippets/{id}/rename-param */
export function renameParamRoute({
  changes,
  pool,
  registry,
}: Pick<SharedServices, 'changes' | 'pool' | 'registry'>): Route {
  return defineRoute({
    method: 'POST',
    path: '/snippets/{id}/rename-param',
    access: 'write',
    needs: 'code',
    summary: 'Rename a parameter of a block type with its values',
    params: IdParams,
    body: RenameParam,
    response: RenamedSnippet,
    errors: ['common.nameTaken', 'common.busy', 'block.paramNameInvalid'],
    handle: async ({ actor, params, body }) => {
      const snippet = await changes.change(actor, (change) =>
        renameParam(change, registry.byName, params.id, body),
      );
      const { id, name, content: source } = snippet;
      const reads: readonly ReadPosition[] = await pool.request({
        kind: 'variable-reads',
        name,
        source,
        variable: body.from,
      });
      const field = body.from;
      return {
        ...snippet,
        templates: reads.map((place) => ({ kind: 'snippet' as const, id, name, ...place, field })),
      };
    },
  });
}

/**
 * Renames a parameter in the schema and in all trees.
 *
 * @throws ApiError `common.notFound`, `common.invalid`, 409 `common.nameTaken`, `block.paramNameInvalid`
 */
async function renameParam(
  change: Change,
  kinds: KindsByName,
  id: number,
  { from, to }: RenameParam,
): Promise<Snippet> {
  const snippet = await requireObject(snippetKind, change.tx, id);
  const { schema } = snippet;
  const params = schema === null ? [] : (parseSchema(schema).params ?? []);
  if (!params.some(({ name }) => name === from)) throw invalid('from', 'is no parameter of the block type');
  if (from === to) return snippet;
  if (params.some(({ name }) => name === to)) throw apiError('common.nameTaken', { name: to });
  const renamed = params.map((param) => ({
    ...param,
    ...(param.name === from ? { name: to, ...(param.label === from ? { label: to } : {}) } : {}),
    ...renameInCondition(pickSettings(param).show_if, from, to),
  }));
  const saved = await updateObject(change, snippetKind, id, { schema: { ...schema, params: renamed } });
  for (const place of await renameInTrees(change, { type: snippet.name, from, to })) {
    const kind = kinds.get(place.kind);
    const state = await kind?.find(change.tx, place.id);
    if (kind !== undefined && state !== undefined) recordObject(change, kind, 'updated', state);
  }
  return saved;
}
