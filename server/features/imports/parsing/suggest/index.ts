import { createHash } from 'node:crypto';
import type { RewriteTask, SuggestedPart, SuggestTask } from '../messages.ts';
import { findCards, useCard } from './cards.ts';
import { findLayout, layoutTemplate, pageWithLayout, splitByLayout } from './layout.ts';

/** Most snippets that are proposed besides the layout. */
const maxCards = 9;

/** Proposes a layout and snippets for what pages have in common. */
export function suggest({ pages }: SuggestTask): readonly SuggestedPart[] {
  const layout = findLayout([...pages.values()]);
  const texts: { readonly pageId: number; readonly html: string }[] = [];
  const withLayout: number[] = [];
  for (const [id, html] of pages) {
    const parts = layout === undefined ? undefined : splitByLayout(layout, html);
    if (parts !== undefined) withLayout.push(id);
    for (const text of parts ?? [html]) texts.push({ pageId: id, html: text });
  }
  const cards = findCards(texts, maxCards).map(({ pattern, pages: ids }): SuggestedPart => {
    const parameters = pattern.holes.flatMap(({ kind, name }) => (kind === 'constant' ? [] : [name]));
    const { name, template } = pattern;
    return {
      id: idOf(template),
      kind: 'snippet',
      name,
      pages: ids,
      html: template,
      parameters,
      card: pattern,
    };
  });
  if (layout === undefined || withLayout.length < 3) return cards;
  const html = layoutTemplate(layout);
  const name = 'layout';
  return [
    { id: idOf(html), kind: 'layout', name, pages: withLayout, html, parameters: layout.holes, layout },
    ...cards,
  ];
}

/** The template of a page that uses snippets; the same text if none fits. */
export function rewrite({ html, layout, cards }: RewriteTask): string {
  const withCards = (text: string): string =>
    cards.reduce((result, { pattern, name }) => useCard(pattern, name, result), text);
  const parts = layout === undefined ? undefined : splitByLayout(layout.pattern, html);
  if (layout === undefined || parts === undefined) return withCards(html);
  return pageWithLayout(layout.pattern, layout.name, parts.map(withCards));
}

function idOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
