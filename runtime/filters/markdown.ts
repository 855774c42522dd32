import { type Filter, markupFilter } from '../filter.ts';
import { markdownToHtml } from '../markdown.ts';

/**
 * Markdown to safe HTML (open points 2): CommonMark and GFM, raw HTML passed through.
 *
 *     {{ "*Open* daily"|markdown }} -> <p><em>Open</em> daily</p>
 */
export const markdownFilters: readonly Filter[] = [markupFilter('markdown', [0, 0], markdownToHtml)];
