import { markdownToHtml } from '../markdown/index.ts';
import { type FilterDefinition, markupFilter } from './filter.ts';

/**
 * Markdown to safe HTML: CommonMark and GFM, raw HTML passed through.
 *
 *     {{ "*Open* daily"|markdown }} -> <p><em>Open</em> daily</p>
 */
export const markdownFilters: readonly FilterDefinition[] = [
  markupFilter('markdown', [0, 0], markdownToHtml),
];
