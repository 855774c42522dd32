import { defineRoute, type Route } from '../api/route.ts';
import { treeErrors } from '../content/blocks/convert-tree.ts';
import { TreeToValidate, ValidatedTree } from '../content/blocks/model.ts';
import { validateTree } from '../content/blocks/service.ts';
import type { Parts } from '../feature.ts';

export function blockRoutes({ snapshots }: Pick<Parts, 'snapshots'>): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/blocks/validate',
      access: 'read',
      summary: 'Check a block tree without storing it',
      body: TreeToValidate,
      response: ValidatedTree,
      errors: [...treeErrors, 'block.globalNowNotAllowed', 'common.notFound'],
      handle: async ({ body }) => {
        const { blocks, warnings } = await snapshots.read((db) => validateTree(db, body));
        return { blocks: [...blocks], warnings };
      },
    }),
  ];
}
