import type { ExpressionBuilder } from 'kysely';
import type { ContentTables } from '../../db/tables.ts';

/** A page with all pages below it, given by website and path of the page. */
export interface Subtree {
  readonly rootId: number;
  readonly path: string;
}

/** The parameters of {@link inSubtree}. */
export interface SubtreeRange extends Subtree {
  readonly from: string;
  readonly to: string;
}

/**
 * A subtree as a range of the path index. All paths below `/a` are between `/a/` and `/a0`, because `0` is
 * the character after `/`.
 */
export function subtreeRange({ rootId, path }: Subtree): SubtreeRange {
  return path === '/'
    ? { rootId, path, from: '/', to: '0' }
    : { rootId, path, from: `${path}/`, to: `${path}0` };
}

/** The condition that a page lies in a subtree, its root included. */
export function inSubtree(where: ExpressionBuilder<ContentTables, 'pages'>, range: SubtreeRange) {
  return where.and([
    where('root_id', '=', range.rootId),
    where.or([
      where('path', '=', range.path),
      where.and([where('path', '>=', range.from), where('path', '<', range.to)]),
    ]),
  ]);
}
