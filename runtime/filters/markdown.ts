import { markdownToHtml } from '../markdown/index.ts';
import { toText } from '../values/text.ts';
import { type FilterDefinition, FilterError, markupFilter } from './filter.ts';

/**
 * Markdown to HTML: CommonMark and GFM. Raw HTML is passed through. `markdown:"safe"` is for texts that anyone may
 * have written: it escapes raw HTML, and drops addresses other than http, https, mailto, tel and relative ones.
 *
 *     {{ "*Open* daily"|markdown }} -> <p><em>Open</em> daily</p>
 *     {{ "<b>Open</b>"|markdown:"safe" }} -> <p>&lt;b&gt;Open&lt;/b&gt;</p>
 */
export const markdownFilters: readonly FilterDefinition[] = [
  {
    ...markupFilter('markdown', [0, 1], (text, _mustEscape, ...args) =>
      markdownToHtml(text, args.length === 0 ? 'author' : trustOf(toText(args[0]))),
    ),
    choices: ['safe'],
  },
];

function trustOf(argument: string): 'anyone' {
  if (argument !== 'safe')
    throw new FilterError(`markdown takes "safe" as argument, not "${argument.slice(0, 40)}"`);
  return 'anyone';
}
