/**
 * Markdown to HTML (CommonMark and GFM, raw HTML passed through), with bounded cost.
 *
 * Texts may come from visitors, and the parser is slow on some texts (`cost.ts` says which). Such a text is
 * refused before it is parsed. Results are kept, since they are the same for every render.
 */
import { LRUCache } from 'lru-cache';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { noteEffort } from '../values/effort.ts';
import { checkMarkdownCost } from './cost.ts';

const options = { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] };

const rendered = new LRUCache<string, string>({
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: (html, text) => 2 * (html.length + text.length) + 100,
});

/** @throws FilterError if parsing the text would take too much time or memory */
export function markdownToHtml(text: string): string {
  const known = rendered.get(text);
  if (known !== undefined) return known;
  const workUs = checkMarkdownCost(text);
  noteEffort(Math.ceil(workUs * effortPerUs));
  const html = micromark(text, options);
  rendered.set(text, html);
  return html;
}

/** Units of `noteEffort` for a microsecond of work. */
const effortPerUs = 8;
