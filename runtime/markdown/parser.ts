/** The parser: CommonMark and GFM as on GitHub, in time and memory proportional to the text. */
import MarkdownIt from 'markdown-it';
import { encodeAddress, type Trust } from './addresses.ts';
import { autolinks } from './autolinks.ts';
import { Budget, maxContainers } from './budget.ts';
import { Footnotes, footnotes } from './footnotes.ts';
import { renderLikeGitHub } from './render.ts';
import { countWork } from './states.ts';
import { strikethrough } from './strikethrough.ts';
import { taskLists } from './tasks.ts';

/**
 * @param filtersMarkup whether markup and addresses that run code are left out
 * @returns a function from text to HTML. It throws a FilterError if a limit is exceeded.
 */
export function createRenderer(trust: Trust, filtersMarkup = true): (text: string) => string {
  const parser = new MarkdownIt({ html: trust === 'author', xhtmlOut: true, maxNesting });
  // Addresses are judged when they are written, so that `[a](javascript:b)` stays a link, without its address.
  parser.validateLink = () => true;
  parser.normalizeLink = encodeAddress;
  parser.normalizeLinkText = (text) => text;
  for (const extend of [countWork, autolinks, footnotes, strikethrough, taskLists]) extend(parser);
  if (filtersMarkup) renderLikeGitHub(parser, trust);
  return (text) => parser.render(text, { budget: new Budget(text), footnotes: new Footnotes() });
}

/** A list in a list is two levels. Text below this depth would be dropped, so the budget stops before it. */
const maxNesting = 2 * maxContainers + 4;
