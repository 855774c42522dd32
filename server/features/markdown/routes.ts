import { defineRoute, type Route } from '../../api/route.ts';
import { invalid } from '../../base/errors.ts';
import type { SharedServices } from '../../feature.ts';
import { MarkdownHtml, MarkdownText } from './model.ts';

export function markdownRoute({ pool }: Pick<SharedServices, 'pool'>): Route {
  return defineRoute({
    method: 'POST',
    path: '/markdown',
    access: 'read',
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
