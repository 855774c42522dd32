/**
 * Markdown to HTML: CommonMark and GFM.
 *
 * Texts may come from visitors. The parser takes time and memory in proportion to the length of the text;
 * `budget.ts` bounds that length and what could still grow beyond it. Results are kept, since they are the same
 * for every render.
 */
import { LRUCache } from 'lru-cache';
import { chargeWork } from '../values/effort.ts';
import type { Trust } from './addresses.ts';
import { checkHtmlLength, checkLength } from './budget.ts';
import { createRenderer } from './parser.ts';

const renderers: Readonly<Record<Trust | 'unfiltered', (text: string) => string>> = {
  author: createRenderer('author'),
  anyone: createRenderer('anyone'),
  unfiltered: createRenderer('author', false),
};

let rendered = resultCaches(8 * 2 ** 20);

/** For processes that render each page once: results are used again only by pages close to each other. */
export function keepFewResults(): void {
  rendered = resultCaches(2 ** 17);
}

/**
 * @param trust `author`: raw HTML is passed through, except for elements such as `script`; `anyone`: it is
 *   escaped, and links have no other protocols than http, https, mailto and tel
 * @throws FilterError if the text is longer, nested deeper or makes more HTML than `budget.ts` allows
 */
export function markdownToHtml(text: string, trust: Trust): string {
  const known = rendered[trust].get(text);
  if (known !== undefined) return known;
  checkLength(text);
  chargeWork(text.length * effortPerCharacter);
  const html = withEndOf(text, renderers[trust](text));
  checkHtmlLength(html.length);
  rendered[trust].set(text, html);
  return html;
}

/**
 * What an author's text would be without the filters for markup and addresses that run code, and with them. What is
 * unsafe in either is meant to be there.
 *
 * @throws FilterError as `markdownToHtml` does
 */
export function markdownToUnfilteredHtml(text: string): string[] {
  const html = markdownToHtml(text, 'author');
  const unfiltered = renderers.unfiltered(text);
  return unfiltered === html ? [html] : [html, unfiltered];
}

/** Units of `chargeWork`. The longest text takes a fifteenth of what a render may do. */
const effortPerCharacter = 16;

function resultCaches(maxSize: number): Readonly<Record<Trust, LRUCache<string, string>>> {
  const create = () =>
    new LRUCache<string, string>({
      maxSize,
      sizeCalculation: (html, text) => 2 * (html.length + text.length) + 100,
    });
  return { author: create(), anyone: create() };
}

/**
 * Ends the HTML with a line break only if the text does, since it may stand within a line of a template. Reads the HTML
 * in any case: that makes V8 join its pieces, which take half as much again where the HTML is kept.
 */
function withEndOf(text: string, html: string): string {
  return !html.endsWith('\n') || /[\r\n]$/.test(text) ? html : html.slice(0, -1);
}
