/**
 * Markdown to HTML (CommonMark and GFM, raw HTML passed through), with bounded cost.
 *
 * The parser takes quadratic time on runs of delimiters within a paragraph and on deeply nested containers, and texts
 * may come from visitors. A text that would take long is therefore not parsed: it is shown as it was written, escaped,
 * so that a hostile entry spoils itself and not the page. What is parsed is kept, since it is the same for every render.
 */
import { LRUCache } from 'lru-cache';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { note } from './effort.ts';
import { escapeHtml } from './escape.ts';

const options = { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] };

/** Characters of one text that are parsed at most. */
const maxLength = 512 * 1024;

/** Sum over all paragraphs of the squared number of their delimiter runs. */
const maxDelimiterCost = 500_000;

/** Levels of lists and quotes within each other. */
const maxContainers = 40;

const rendered = new LRUCache<string, string>({
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: (html, text) => 2 * (html.length + text.length) + 100,
});

export function markdownToHtml(text: string): string {
  const known = rendered.get(text);
  if (known !== undefined) return known;
  const cost = delimiterCost(text);
  const html = isCheap(text, cost) ? parsed(text, cost) : asWritten(text);
  rendered.set(text, html);
  return html;
}

function parsed(text: string, cost: number): string {
  note(cost + text.length);
  return micromark(text, options);
}

function isCheap(text: string, cost: number): boolean {
  return text.length <= maxLength && cost <= maxDelimiterCost && containerDepth(text) <= maxContainers;
}

function delimiterCost(text: string): number {
  let cost = 0;
  for (const paragraph of text.split(/\n[ \t]*\n/)) {
    const runs = paragraph.match(/[*_~]+|[[\]]|`+/g)?.length ?? 0;
    cost += runs * runs;
  }
  return cost;
}

/** The deepest container a line could open: its markers, or its indentation if it has one. */
function containerDepth(text: string): number {
  let deepest = 0;
  for (const [line] of text.matchAll(/^[ \t]*(?:[-+*>]|\d{1,9}[.)])[^\n]*/gm)) {
    const head = /^(?:[ \t]*(?:[-+*>]|\d{1,9}[.)]))+/.exec(line)?.[0] ?? '';
    const markers = head.match(/[-+*>]|\d+[.)]/g)?.length ?? 0;
    const indent = /^[ \t]*/.exec(line)?.[0].replaceAll('\t', '    ').length ?? 0;
    deepest = Math.max(deepest, markers, indent / 2);
  }
  return deepest;
}

function asWritten(text: string): string {
  return `<p>${escapeHtml(text).replaceAll('\n', '<br>\n')}</p>`;
}
