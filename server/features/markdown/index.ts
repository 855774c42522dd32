import Type from 'typebox';
import { defineRoute, type Route } from '../../api/route.ts';
import { invalid } from '../../base/errors.ts';
import { fieldLimits } from '../../content/common-fields.ts';
import type { Feature, SharedServices } from '../../feature.ts';

/** Markdown as HTML, for editors that show it while somebody writes. */
export function markdownFeature(parts: Pick<SharedServices, 'pool'>): Feature {
  return { about: { markdown: 'Markdown as HTML.' }, routes: [markdownRoute(parts)] };
}

const MarkdownText = Type.Object(
  {
    text: Type.String({
      maxLength: fieldLimits.template,
      description: 'CommonMark with the extensions of GitHub.',
    }),
  },
  { title: 'MarkdownText', description: 'A text to convert.', examples: [{ text: '*Open* daily' }] },
);

const MarkdownHtml = Type.Object(
  {
    html: Type.String({
      description: 'As the filter `markdown` makes it; HTML in the text is passed through.',
    }),
  },
  { title: 'MarkdownHtml', description: 'A text as HTML.' },
);

function markdownRoute({ pool }: Pick<SharedServices, 'pool'>): Route {
  return defineRoute({
    method: 'POST',
    path: '/markdown',
    access: 'read',
    needs: 'read',
    summary: 'Convert Markdown to HTML',
    body: MarkdownText,
    response: MarkdownHtml,
    errors: ['common.busy'],
    async handle({ body: { text } }) {
      const result = await pool.request({ kind: 'markdown', text });
      if (result.kind === 'refused') throw invalid('text', result.reason);
      return { html: result.html };
    },
  });
}
