import { defineRoute, type Route } from '../../api/route.ts';
import { treeErrors } from '../../content/blocks/convert-tree.ts';
import { TreeToValidate, ValidatedTree } from '../../content/blocks/model.ts';
import { validateTree } from '../../content/blocks/service.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import { globalBlockRoutes } from './routes.ts';
import { globalBlockKind } from './service.ts';

/** Block trees that other trees insert (Core, "Global blocks"). */
export function globalBlocksFeature(parts: Pick<SharedServices, 'snapshots'>): Feature {
  return { kinds: [globalBlockKind], routes: globalBlockRoutes(parts) };
}

/** Block trees, wherever they are stored (Core, "Block tree"). */
export function blocksFeature(parts: Pick<SharedServices, 'snapshots'>): Feature {
  return { about: { blocks: 'Block types and block trees.' }, routes: blockRoutes(parts) };
}

function blockRoutes({ snapshots }: Pick<SharedServices, 'snapshots'>): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/blocks/validate',
      access: 'read',
      needs: 'read',
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
