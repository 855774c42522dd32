import { dataFilters } from './data.ts';
import { dateFilters } from './date.ts';
import type { FilterDefinition } from './filter.ts';
import { htmlFilters } from './html.ts';
import { listFilters } from './list.ts';
import { logicFilters } from './logic.ts';
import { markdownFilters } from './markdown.ts';
import { mediaFilters } from './media.ts';
import { numberFilters } from './number.ts';
import { textFilters } from './text.ts';
import { urlFilters } from './url.ts';

/** All filters by name. A Map, so that names like `constructor` are unknown. */
export const filters: ReadonlyMap<string, FilterDefinition> = new Map(
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
