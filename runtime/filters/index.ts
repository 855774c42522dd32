import type { Filter } from '../filter.ts';
import { dataFilters } from './data.ts';
import { dateFilters } from './date.ts';
import { htmlFilters } from './html.ts';
import { listFilters } from './list.ts';
import { logicFilters } from './logic.ts';
import { markdownFilters } from './markdown.ts';
import { mediaFilters } from './media.ts';
import { numberFilters } from './number.ts';
import { textFilters } from './text.ts';
import { urlFilters } from './url.ts';

/** All filters by name (open-points 2). A Map, so that names like `constructor` are simply unknown. */
export const filters: ReadonlyMap<string, Filter> = new Map(
  [
    ...textFilters,
    ...htmlFilters,
    ...urlFilters,
    ...listFilters,
    ...numberFilters,
    ...logicFilters,
    ...dateFilters,
    ...dataFilters,
    ...markdownFilters,
    ...mediaFilters,
  ].map((filter) => [filter.name, filter]),
);
